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
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xshare:auto",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(List.of(args));
        return Tool.start(command.toArray(String[]::new));
    }
}
