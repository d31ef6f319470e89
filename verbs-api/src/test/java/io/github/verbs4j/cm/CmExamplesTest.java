package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CmExamplesTest {

    private static final String PACKAGE = "java/io/github/verbs4j/cm/";

    @Test
    void documentedExamplesAreThoseThatAreCompiled() throws IOException {
        List<String> compiled = lines(Path.of("src/test", PACKAGE + "CmExamples.java"));
        List<List<String>> snippets = snippets();
        assertEquals(3, snippets.size());
        for (List<String> snippet : snippets) {
            int start = compiled.indexOf(snippet.getFirst());
            assertTrue(start >= 0, snippet.getFirst());
            assertEquals(snippet, compiled.subList(start, start + snippet.size()));
        }
    }

    private static List<List<String>> snippets() throws IOException {
        List<List<String>> snippets = new ArrayList<>();
        List<String> current = null;
        for (String line : lines(Path.of("src/main", PACKAGE + "package-info.java"))) {
            String text = line.replaceFirst("^\\* ?", "").strip();
            if (text.startsWith("{@snippet")) {
                current = new ArrayList<>();
            } else if (current != null && (text.isEmpty() || text.startsWith("<p>"))) {
                current.removeLast(); // the brace that ends the tag
                snippets.add(current);
                current = null;
            } else if (current != null) {
                current.add(text);
            }
        }
        return snippets;
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(String::strip).toList();
    }
}
