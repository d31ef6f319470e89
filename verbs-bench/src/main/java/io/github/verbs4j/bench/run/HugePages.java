package io.github.verbs4j.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether the administrator has set huge pages aside. */
final class HugePages {

    private HugePages() {}

    /** {@return whether so many bytes can be had in huge pages} */
    static boolean areFree(long bytes) {
        return number("HugePages_Free:") * (number("Hugepagesize:") << 10) >= bytes;
    }

    private static long number(String field) {
        try {
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith(field))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
