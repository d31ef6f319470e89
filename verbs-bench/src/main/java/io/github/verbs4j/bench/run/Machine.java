package io.github.verbs4j.bench.run;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.report.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where and when a run takes place: numbers mean nothing without. */
final class Machine {

    /** As Debian, Fedora and the sources name it: ABI, then the version of rdma-core. */
    private static final Pattern LIBIBVERBS =
            Pattern.compile("libibverbs\\.so\\.\\d+\\.\\d+\\.(\\d+\\.\\d+)$");

    private Machine() {}

    static Map<String, String> describe() {
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("date", ZonedDateTime.now().format(DateTimeFormatter.ISO_LOCAL_DATE));
        machine.put("processor", processor());
        machine.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        machine.put(
                "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put(
                "JVM",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        // What only scripts/bench knows.
        machine.put("gcc", System.getProperty("verbs4j.bench.gcc", "unknown"));
        machine.put("verbs4j", System.getProperty("verbs4j.bench.commit", "unknown"));
        machine.put(
                "governor",
                firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "unknown"));
        machine.put("clock", clock() + " per reading");
        machine.put("load at start", firstLine("/proc/loadavg", "unknown").split(" ")[0]);
        return machine;
    }

    /** {@return the version of rdma-core whose libibverbs this process has loaded} */
    static String rdmaCore() {
        try {
            return rdmaCore(Files.readAllLines(Path.of("/proc/self/maps")));
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Libibverbs has no function that tells its version; the name of its file does. */
    static String rdmaCore(List<String> mappings) {
        return mappings.stream()
                .filter(line -> line.contains("/libibverbs.so"))
                .map(line -> line.substring(line.lastIndexOf('/') + 1))
                .findFirst()
                .map(Machine::versionOf)
                .orElse("unknown");
    }

    private static String versionOf(String file) {
        Matcher matcher = LIBIBVERBS.matcher(file);
        return matcher.find() ? matcher.group(1) + " (" + file + ")" : file;
    }

    static String device(DeviceChoice choice) {
        Device device = choice.device().map(Device::named).orElseGet(Device::first);
        try (Context context = device.open()) {
            return device.name()
                    + ", vendor 0x"
                    + Integer.toHexString(context.queryDevice().vendorId())
                    + ", firmware "
                    + context.queryDevice().fwVer()
                    + choice.peer().map(peer -> ", against " + peer).orElse(", loopback");
        }
    }

    /** What every latency contains besides what is measured. */
    private static String clock() {
        double[] nanos = new double[3000];
        for (int i = 0; i < nanos.length; i++) {
            long before = System.nanoTime();
            nanos[i] = System.nanoTime() - before;
        }
        return new Measurement(nanos, Map.of(), Double.NaN).text("ns");
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String firstLine(String file, String otherwise) {
        try {
            return Files.readString(Path.of(file)).lines().findFirst().orElse(otherwise);
        } catch (IOException e) {
            return otherwise;
        }
    }
}
