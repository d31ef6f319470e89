package io.github.verbs4j.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Runs commands that change the machine under the device, as {@code ip} and {@code rdma}. */
public final class Command {

    private Command() {}

    /** Runs a command, given with blanks between its words, which must succeed. */
    public static void run(String line) throws IOException, InterruptedException {
        finish(start(line), line);
    }

    /** Runs a command that may fail, to clean up. */
    public static void tryRun(String line) throws IOException, InterruptedException {
        Process process = start(line);
        process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), line);
    }

    /** Starts a command. */
    public static Process start(String line) throws IOException {
        return new ProcessBuilder(line.split(" ")).redirectErrorStream(true).start();
    }

    /** Waits for the success of a command. */
    public static void finish(Process process, String line)
            throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), line);
        assertEquals(0, process.exitValue(), line + ": " + output);
    }
}
