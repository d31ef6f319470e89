package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Reads the installed headers: what they define inline must have a port by the same name. */
class InlinesCompletenessTest {

    private static final Pattern INLINE =
            Pattern.compile("static\\s+inline[^;{}()]*?(\\w+)\\s*\\(");
    private static final Pattern MACRO =
            Pattern.compile("^#\\s*define\\s+(\\w+)\\(", Pattern.MULTILINE);
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

    /**
     * Not for C users. Names that start with an underscore are not either: they are the other
     * halves of macros that have ports (___ibv_query_port), or build static lists of providers.
     */
    private static final Set<String> INTERNAL =
            Set.of(
                    "verbs_get_ctx_op", // ContextOp.in
                    "vext_field_avail"); // offsetof, for code that is built with several headers

    @Test
    void everyInlineFunctionAndMacroHasAPort() throws IOException {
        Set<String> ports =
                Classes.functions().stream().map(Method::getName).collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        int found = 0;
        for (Path header : CCompiler.host().headers()) {
            String text = COMMENT.matcher(Files.readString(header)).replaceAll("");
            for (Pattern pattern : Set.of(INLINE, MACRO)) {
                Matcher matcher = pattern.matcher(text);
                while (matcher.find()) {
                    String name = matcher.group(1);
                    found++;
                    if (!name.startsWith("_")
                            && !INTERNAL.contains(name)
                            && !ports.contains(name)) {
                        missing.add(name + " (" + header + ")");
                    }
                }
            }
        }
        int total = found;
        assertTrue(total > 110, () -> "found only " + total + " inline functions and macros");
        assertTrue(missing.isEmpty(), () -> "no port of " + String.join(", ", missing));
    }
}
