package io.github.verbs4j.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each behaviour that was listed has a test that names it, or a reason. */
class ConformanceRowsTest {

    private static final String ROWS =
            "src/test/resources/io/github/verbs4j/mapping/conformance-rows.txt";
    private static final Pattern ID = Pattern.compile("\\b[A-Z]{1,4}-\\d{1,2}\\b");
    private static final Pattern DISPLAY_NAME =
            Pattern.compile("@DisplayName\\(\\s*((\"(\\\\.|[^\"\\\\])*\"[\\s+]*)+)\\)");

    private static final Set<String> LISTED = new TreeSet<>();
    private static final Set<String> EXCUSED = new TreeSet<>();
    private static final Set<String> TESTED = new TreeSet<>();

    @BeforeAll
    static void read() throws IOException {
        Path root = Mapping.root();
        for (String line : Files.readAllLines(root.resolve("verbs-api").resolve(ROWS))) {
            if (line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(": ");
            String ids = colon < 0 ? line : line.substring(0, colon);
            ids(ids, colon < 0 ? LISTED : EXCUSED);
        }
        for (Path test : tests(root)) {
            Matcher names = DISPLAY_NAME.matcher(Files.readString(test));
            while (names.find()) {
                ids(names.group(1), TESTED);
            }
        }
    }

    private static List<Path> tests(Path root) throws IOException {
        try (Stream<Path> files =
                Files.find(
                        root,
                        20,
                        (path, attributes) ->
                                path.toString().contains("/src/test/java/")
                                        && path.toString().endsWith("Test.java"))) {
            return files.toList();
        }
    }

    private static void ids(String text, Set<String> into) {
        Matcher ids = ID.matcher(text);
        while (ids.find()) {
            into.add(ids.group());
        }
    }

    private static Set<String> minus(Set<String> all, Set<String> without) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(without);
        return rest;
    }

    @Test
    void everyRowHasATest() {
        assertTrue(LISTED.size() > 200, LISTED::toString);
        assertEquals(Set.of(), minus(LISTED, TESTED), "rows that no display name names");
    }

    @Test
    void noReasonIsObsolete() {
        Set<String> both = new TreeSet<>(EXCUSED);
        both.retainAll(TESTED);
        assertEquals(Set.of(), both, "rows that have a test, and a reason for none");
    }

    @Test
    void noTestNamesARowThatIsNotListed() {
        assertEquals(
                Set.of(),
                minus(minus(TESTED, LISTED), EXCUSED),
                "ids in display names that are no rows: describe the behaviour without one");
    }
}
