package io.github.verbs4j.examples.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.Device;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@RequiresDevice
class DeviceTextDeviceTest {

    /** The same arguments for both, the same text from both. */
    private static void assertSameText(String example, String tool, String... args)
            throws Exception {
        String[] ours = Stream.concat(Stream.of(example), Stream.of(args)).toArray(String[]::new);
        String[] c = Stream.concat(Stream.of(tool), Stream.of(args)).toArray(String[]::new);
        assertEquals(
                Tool.run(c).succeeded().out(),
                Example.run(ours).succeeded().out(),
                String.join(" ", c));
    }

    @Test
    void devicesPrintsWhatTheCToolPrints() throws Exception {
        assertSameText("devices", "ibv_devices");
    }

    @Test
    void devinfoPrintsWhatTheCToolPrintsOfEachDevice() throws Exception {
        for (Device device : Device.list()) {
            assertSameText("devinfo", "ibv_devinfo", "-d", device.name());
            assertSameText("devinfo", "ibv_devinfo", "-d", device.name(), "-v");
            assertSameText("devinfo", "ibv_devinfo", "-d", device.name(), "-i", "1");
        }
    }

    @Test
    void devinfoPrintsWhatTheCToolPrintsOfAllDevices() throws Exception {
        assertSameText("devinfo", "ibv_devinfo");
        assertSameText("devinfo", "ibv_devinfo", "--verbose");
        assertSameText("devinfo", "ibv_devinfo", "--list");
    }

    @Test
    void whatIsNotThereIsSaid() throws Exception {
        String name = Device.first().name();
        Example.run("devinfo", "-d", "nosuch0").failed(1, "no device nosuch0; this machine has ");
        Example.run("devinfo", "-d", name, "-i", "200").failed(1, name + " has no port 200");
        Example.run("devinfo", "-i", "0").failed(2, "--ib-port must be 1 to 255, was 0");
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        String reason = "could not write to standard output: No space left on device";
        JavaTool.runInto("/dev/full", "devices").failed(1, "devices: " + reason);
        JavaTool.runInto("/dev/full", "devinfo", "-v").failed(1, "devinfo: " + reason);
    }

    @Test
    void withoutTheLibraryTheMessageNamesThePackage() throws Exception {
        // In a mount namespace of its own, so that nobody else misses the library.
        List<String> java =
                List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.github.verbs4j.examples.Main",
                        "devices");
        String hide =
                "for lib in /usr/lib/*/libibverbs.so.1 /usr/lib64/libibverbs.so.1;"
                        + " do [ ! -e $lib ] || mount --bind /dev/null $lib || exit 99; done;"
                        + " exec \"$@\"";
        String unshare = "root".equals(System.getProperty("user.name")) ? "-m" : "-rm";
        String[] command =
                Stream.concat(Stream.of("unshare", unshare, "sh", "-c", hide, "sh"), java.stream())
                        .toArray(String[]::new);
        Tool.run(command)
                .failed(1, "devices: libibverbs.so.1 could not be loaded")
                .failed(1, "apt install libibverbs1");
    }
}
