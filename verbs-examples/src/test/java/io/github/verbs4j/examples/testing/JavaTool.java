package io.github.verbs4j.examples.testing;

import io.github.verbs4j.examples.Main;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An example in a process of its own: the peer of one in this process, or one to be killed. */
public final class JavaTool {

    private JavaTool() {}

    /** Starts an example. */
    public static Tool start(String... args) throws IOException {
        return Tool.start(command(args).toArray(String[]::new));
    }

    /** Runs an example to its end, with its standard output going to a file. */
    public static Result runInto(String file, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >" + file, "sh"));
        command.addAll(command(args));
        return Tool.run(command.toArray(String[]::new));
    }

    /** {@return what to start, to run an example} */
    public static List<String> command(String... args) {
        return command(Main.class, args);
    }

    /** {@return what to start, to run a program of the tests} */
    static List<String> command(Class<?> main, String... args) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:auto",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                main.getName()));
        command.addAll(List.of(args));
        return command;
    }
}
