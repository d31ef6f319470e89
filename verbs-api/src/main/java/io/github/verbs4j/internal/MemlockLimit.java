package io.github.verbs4j.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What RLIMIT_MEMLOCK lets this process register. */
public final class MemlockLimit {

    private MemlockLimit() {}

    /**
     * Explains an ENOMEM from a verb that pins memory.
     *
     * @param wanted bytes asked for, or a negative number when unknown
     * @return a sentence with the limit and how to raise it
     */
    public static String explain(long wanted) {
        String limit = softLimit();
        String asked = wanted < 0 ? "" : wanted + " bytes asked for; ";
        if (limit.equals("unlimited")) {
            return asked + "RLIMIT_MEMLOCK is unlimited, so the machine or the device is out";
        }
        return asked
                + "RLIMIT_MEMLOCK is "
                + limit
                + " bytes, of which other registrations use a part. Raise it: ulimit -l unlimited,"
                + " LimitMEMLOCK=infinity (systemd), --ulimit memlock=-1 (docker),"
                + " /etc/security/limits.conf";
    }

    private static String softLimit() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max locked memory")) {
                    return line.substring("Max locked memory".length()).trim().split("\\s+")[0];
                }
            }
        } catch (IOException e) {
            // Falls through.
        }
        return "unknown";
    }
}
