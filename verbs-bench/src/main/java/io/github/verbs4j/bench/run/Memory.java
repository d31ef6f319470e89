package io.github.verbs4j.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What this machine lets a process have and lock. */
final class Memory {

    /** For the JVM and everything else. */
    private static final long SPARE = 256 << 20;

    private static final int CAP_IPC_LOCK = 14;

    private Memory() {}

    /** {@return why so many bytes cannot be registered, if they cannot} */
    static Optional<String> lackFor(long bytes) {
        return lackFor(
                bytes,
                lines("/proc/meminfo"),
                lines("/proc/self/limits"),
                lines("/proc/self/status"));
    }

    static Optional<String> lackFor(
            long bytes, List<String> memory, List<String> limits, List<String> status) {
        long available = kibibytes(memory, "MemAvailable:");
        if (available > 0 && available < bytes + SPARE) {
            return Optional.of("only " + (available >> 20) + " MiB of memory are available");
        }
        String limit = field(limits, "Max locked memory").split(" ")[0];
        boolean limited = !limit.isEmpty() && !limit.equals("unlimited");
        if (limited && Long.parseLong(limit) < bytes && !mayLockAll(status)) {
            return Optional.of("ulimit -l allows " + (Long.parseLong(limit) >> 10) + " KiB");
        }
        return Optional.empty();
    }

    private static boolean mayLockAll(List<String> status) {
        String capabilities = field(status, "CapEff:");
        return !capabilities.isEmpty()
                && (Long.parseUnsignedLong(capabilities, 16) >> CAP_IPC_LOCK & 1) == 1;
    }

    /** {@return whether the administrator has set so many bytes aside in huge pages} */
    static boolean hugePagesAreFree(long bytes) {
        List<String> memory = lines("/proc/meminfo");
        String free = field(memory, "HugePages_Free:");
        return !free.isEmpty()
                && Long.parseLong(free) * kibibytes(memory, "Hugepagesize:") >= bytes;
    }

    /** A value with the unit kB, in bytes; 0 where there is none. */
    private static long kibibytes(List<String> lines, String name) {
        String value = field(lines, name).split(" ")[0];
        return value.isEmpty() ? 0 : Long.parseLong(value) << 10;
    }

    /** What follows the name in its line. */
    private static String field(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim())
                .findFirst()
                .orElse("");
    }

    private static List<String> lines(String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
