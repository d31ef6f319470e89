package io.github.verbs4j.examples.testing;

import io.github.verbs4j.examples.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An example that runs in this process, one at a time, with its output caught. */
public final class Example {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> status;

    private Example(String... args) {
        status =
                CompletableFuture.supplyAsync(
                        () -> execute(args), task -> new Thread(task).start());
    }

    /** Starts an example. */
    public static Example start(String... args) {
        return new Example(args);
    }

    /** Runs an example to its end. */
    public static Result run(String... args) throws Exception {
        return start(args).await();
    }

    private int execute(String... args) {
        PrintStream systemOut = System.out;
        PrintStream systemErr = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return Main.execute(args);
        } finally {
            System.setOut(systemOut);
            System.setErr(systemErr);
        }
    }

    /** {@return what it printed and its exit status, once it has ended} */
    public Result await() throws Exception {
        try {
            int code = status.get(100, TimeUnit.SECONDS);
            return Result.of(code, text(out), text(err));
        } catch (TimeoutException e) {
            throw new AssertionError("still running; it printed\n" + text(out) + text(err), e);
        }
    }

    /** Waits until it has printed something. */
    public void awaitOutput(String wanted) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(100).toNanos();
        while (!text(out).contains(wanted)) {
            if (System.nanoTime() - deadline > 0 || status.isDone()) {
                throw new AssertionError(
                        "never printed " + wanted + " but\n" + text(out) + text(err));
            }
            Thread.sleep(10);
        }
    }

    /** {@return what it has printed so far} */
    public String printed() {
        return text(out);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
