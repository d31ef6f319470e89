package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program that the README shows compiles and does what it says. */
class ReadmeTest {

    @TempDir Path folder;

    @Test
    void theProgramCompiles() throws Exception {
        Run run = java("--dry-run", extract().toString());
        assertEquals("", run.output());
        assertEquals(0, run.status());
    }

    @Test
    @RequiresDevice
    void theProgramMovesItsText() throws Exception {
        Run run = java(extract().toString());
        assertEquals("hello over RDMA\n", run.output());
        assertEquals(0, run.status());
    }

    private Path extract() throws IOException {
        String readme = Files.readString(projectFolder().resolve("README.md"));
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme);
        assertTrue(block.find(), "README.md has a Java program");
        return Files.writeString(folder.resolve("Readme.java"), block.group(1));
    }

    private static Path projectFolder() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private record Run(int status, String output) {}

    private static Run java(String... arguments) throws Exception {
        List<String> command =
                new java.util.ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-Dorg.slf4j.simpleLogger.log.io.github.verbs4j.lifecycle=warn",
                                "-cp",
                                System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("readme", ".txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(50, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return new Run(process.waitFor(), Files.readString(output));
    }
}
