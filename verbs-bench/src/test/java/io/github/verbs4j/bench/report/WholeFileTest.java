package io.github.verbs4j.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir Path folder;

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theFileIsReplacedAndNothingElseIsLeft() throws IOException {
        Path file = folder.resolve("device.json");
        WholeFile.write(file, "old and longer");
        WholeFile.write(file, "µ");
        assertEquals("µ", Files.readString(file));
        assertEquals(List.of("device.json"), files());
    }

    @Test
    void whoStillReadsTheOldFileHasAllOfIt() throws IOException {
        Path file = folder.resolve("device.json");
        WholeFile.write(file, "old");
        try (var reader = Files.newBufferedReader(file)) {
            WholeFile.write(file, "new");
            assertEquals("old", reader.readLine());
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsAsItWas() throws IOException {
        Path file = folder.resolve("device.json");
        WholeFile.write(file, "old");
        Path draft = Files.createDirectory(folder.resolve("device.json.new"));
        assertThrows(IOException.class, () -> WholeFile.write(file, "new"));
        Files.deleteIfExists(draft);
        assertEquals("old", Files.readString(file));
    }

    @Test
    void theResultsAreWrittenSo() throws IOException {
        Path file = folder.resolve("device.json");
        Run empty = new Run(Map.of(), List.of());
        empty.write(file);
        try (var reader = Files.newBufferedReader(file)) {
            String before = Files.readString(file);
            new Run(Map.of("date", "today"), List.of()).write(file);
            assertEquals(before, String.join("\n", reader.readAllLines()));
        }
    }
}
