package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerServerTest {

    @Test
    void aServerWithoutItsDeviceSaysSoInOneLineAndDoesNotListen() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/include/infiniband/verbs.h")), "needs libibverbs-dev");
        Process process =
                new ProcessBuilder(
                                "timeout",
                                "30",
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-Dverbs4j.bench.device=nosuch0",
                                "-Dverbs4j.bench.gid=77",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PeerServer.class.getName())
                        .redirectErrorStream(true)
                        .start();
        List<String> lines;
        try (var output = process.inputReader()) {
            lines = output.readAllLines();
        }
        assertEquals(2, process.waitFor());
        assertEquals(1, lines.size(), lines::toString);
        assertEquals("bench: ", lines.getFirst().substring(0, 7));
    }
}
