package io.github.verbs4j.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of the tests in a JVM of its own, for what must not happen in this one. */
public final class ChildJvm {

    /** What the program left behind. */
    public record Result(int exit, String output) {}

    private ChildJvm() {}

    /** Runs a program to its end, which comes soon. */
    public static Result run(
            List<String> prefix, List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        return run(Duration.ofSeconds(55), prefix, options, main, arguments);
    }

    /**
     * Runs a program to its end.
     *
     * @param timeout how long that may take
     * @param prefix a command that runs the rest of the line, as {@code prlimit}
     * @param options of the JVM
     * @param main the class
     * @param arguments for it
     * @return exit code, and standard output and error together
     */
    public static Result run(
            Duration timeout,
            List<String> prefix,
            List<String> options,
            Class<?> main,
            String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-XX:-UsePerfData"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("verbs4j-child", ".out");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            if (!process.waitFor(timeout)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("did not end: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
