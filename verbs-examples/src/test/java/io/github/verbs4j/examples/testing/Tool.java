package io.github.verbs4j.examples.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the machine, such as a C tool. It never outlives the test. */
public final class Tool implements AutoCloseable {

    /** Exit status after SIGKILL, as a shell has it. */
    private static final int KILLED = 128 + 9;

    private final Process process;
    private final StringBuffer printed = new StringBuffer();
    private final CompletableFuture<String> out;
    private final CompletableFuture<String> err;

    private Tool(List<String> command) throws IOException {
        process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        out = readAll(process.getInputStream(), printed);
        err = readAll(process.getErrorStream(), new StringBuffer());
    }

    /** In a thread of its own: a common pool has one for all on a machine with one processor. */
    private static CompletableFuture<String> readAll(InputStream stream, StringBuffer into) {
        return CompletableFuture.supplyAsync(
                () -> read(stream, into), task -> new Thread(task).start());
    }

    /** Starts a program. */
    public static Tool start(String... command) throws IOException {
        return new Tool(List.of(command));
    }

    /** Runs a program to its end. */
    public static Result run(String... command) throws Exception {
        try (Tool tool = start(command)) {
            return tool.await();
        }
    }

    /** {@return what it printed and its exit status, once it has ended} */
    public Result await() throws Exception {
        if (!process.waitFor(100, TimeUnit.SECONDS)) {
            throw new AssertionError(process.info().commandLine() + " is still running");
        }
        int status = process.exitValue();
        if (status != KILLED) {
            LifecycleLog.assertAllClosed(err.get());
        }
        return Result.of(status, out.get(), err.get());
    }

    /** Waits until it has printed something. */
    public void awaitOutput(String wanted) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(100).toNanos();
        while (printed.indexOf(wanted) < 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("never printed " + wanted + " but\n" + printed);
            }
            Thread.sleep(10);
        }
    }

    /** {@return what it has printed so far} */
    public String printed() {
        return printed.toString();
    }

    /** {@return whether it has not ended} */
    public boolean isRunning() {
        return process.isAlive();
    }

    private static String read(InputStream stream, StringBuffer into) {
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            char[] some = new char[4096];
            for (int n; (n = reader.read(some)) > 0; ) {
                into.append(some, 0, n);
            }
        } catch (IOException e) {
            // It was killed; what it printed until then counts.
        }
        return into.toString();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
    }

    /** Kills it, as by SIGKILL. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }
}
