package io.github.verbs4j.examples.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** TCP ports for servers under test. */
public final class Ports {

    private static final String LISTENING = "0A";

    private Ports() {}

    /** {@return a port that nobody listens on} */
    public static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Waits until somebody listens on the port. Connecting would take the client's place. */
    public static void awaitListener(int port) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(100).toNanos();
        while (!isListening(port, "/proc/net/tcp") && !isListening(port, "/proc/net/tcp6")) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("nobody listens on port " + port);
            }
            Thread.sleep(10);
        }
    }

    private static boolean isListening(int port, String table) throws IOException {
        Path path = Path.of(table);
        String suffix = ":%04X".formatted(port);
        return Files.exists(path)
                && Files.readAllLines(path).stream()
                        .map(line -> line.trim().split("\\s+"))
                        .anyMatch(f -> f[1].endsWith(suffix) && f[3].equals(LISTENING));
    }
}
