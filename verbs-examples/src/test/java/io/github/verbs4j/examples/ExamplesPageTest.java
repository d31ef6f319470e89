package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/examples.md quotes the source. A quotation is a code block after a comment that names a file
 * and, in it, the region between {@code // @start region=NAME} and {@code // @end}:
 *
 * <pre>
 *   &lt;!-- snippet: lessons/Peer.java connect -->
 * </pre>
 *
 * <p>With the system property {@code verbs4j.updateSnippets} the test brings the page up to date.
 */
class ExamplesPageTest {

    private static final Pattern SNIPPET =
            Pattern.compile(
                    "<!-- snippet: (\\S+) (\\S+) -->\\n```java\\n(.*?)```\\n", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("^ *scripts/verbs ([^\\n#]+)", Pattern.MULTILINE);
    private static final Path PROJECT = project();
    private static final Path PAGE = PROJECT.resolve("docs/examples.md");
    private static final Path SOURCES =
            PROJECT.resolve("verbs-examples/src/main/java/io/github/verbs4j/examples");

    @Test
    void quotedLinesEqualTheSource() throws IOException {
        String page = Files.readString(PAGE);
        String wanted = SNIPPET.matcher(page).replaceAll(ExamplesPageTest::quotation);
        if (Boolean.getBoolean("verbs4j.updateSnippets")) {
            Files.writeString(PAGE, wanted);
            return;
        }
        assertEquals(wanted, page, "mvn test -Dverbs4j.updateSnippets=true quotes anew");
    }

    @Test
    void everyCodeBlockIsAQuotation() throws IOException {
        String page = Files.readString(PAGE);
        long quoted = SNIPPET.matcher(page).results().count();
        assertTrue(quoted >= 10, "snippets found: " + quoted);
        assertEquals(quoted, Pattern.compile("```java").matcher(page).results().count());
    }

    @Test
    void everyCommandIsUnderstood() throws IOException {
        List<String> shown = new ArrayList<>();
        Matcher commands = COMMAND.matcher(Files.readString(PAGE));
        while (commands.find()) {
            // A server and its client, or one program.
            for (String example : commands.group(1).strip().split(" \\+ ")) {
                String[] words = example.strip().split(" +");
                assertEquals(0, Main.execute(dryRun(words)), example);
                shown.add(words[0]);
            }
        }
        Set<String> missing = new TreeSet<>(Main.commandLine().getSubcommands().keySet());
        missing.removeAll(shown);
        // Soft-RoCE has no XRC, so there is no command to print that would work.
        missing.remove("xsrq-pingpong");
        assertEquals(Set.of(), missing, "examples that the page does not run");
    }

    private static String[] dryRun(String... words) {
        return Stream.concat(Stream.of("--dry-run"), Stream.of(words)).toArray(String[]::new);
    }

    private static String quotation(MatchResult snippet) {
        String text =
                "<!-- snippet: %s %s -->\n```java\n%s\n```\n"
                        .formatted(
                                snippet.group(1),
                                snippet.group(2),
                                region(snippet.group(1), snippet.group(2)));
        return Matcher.quoteReplacement(text);
    }

    private static String region(String file, String name) {
        List<String> lines = new ArrayList<>();
        boolean inside = false;
        for (String line : lines(SOURCES.resolve(file))) {
            if (line.strip().equals("// @end")) {
                inside = false;
            }
            if (inside) {
                lines.add(line);
            }
            if (line.strip().equals("// @start region=" + name)) {
                inside = true;
            }
        }
        assertTrue(!lines.isEmpty(), "no region " + name + " in " + file);
        return lines.stream().collect(Collectors.joining("\n")).stripTrailing().stripIndent();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/concepts.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
