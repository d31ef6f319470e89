package io.github.verbs4j.examples.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the machine, such as a C tool. It never outlives the test. */
public final class Tool implements AutoCloseable {

    private final Process process;
    private final CompletableFuture<String> out;
    private final CompletableFuture<String> err;

    private Tool(List<String> command) throws IOException {
        process = new ProcessBuilder(command).start();
        process.getOutputStream().close();
        out = CompletableFuture.supplyAsync(() -> read(process.getInputStream()), Tool::reader);
        err = CompletableFuture.supplyAsync(() -> read(process.getErrorStream()), Tool::reader);
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
        if (!process.waitFor(50, TimeUnit.SECONDS)) {
            throw new AssertionError(process.info().commandLine() + " is still running");
        }
        return new Result(process.exitValue(), out.get(), err.get());
    }

    /** With one processor, the common pool has one thread, and two tools would wait for it. */
    private static void reader(Runnable task) {
        Thread.ofPlatform().daemon().start(task);
    }

    private static String read(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
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
