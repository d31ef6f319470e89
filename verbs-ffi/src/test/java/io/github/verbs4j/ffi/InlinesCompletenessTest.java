package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
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
        Set<String> names = new TreeSet<>();
        for (Path header : CCompiler.host().headers()) {
            names.addAll(names(header));
        }
        names.removeIf(name -> name.startsWith("_") || INTERNAL.contains(name));
        assertTrue(names.size() > 110, () -> "found only " + names.size() + " inline functions");
        assertEquals(Set.of(), withoutPort(names));
    }

    @Test
    void everyInlineFunctionOfTheDynamicallyConnectedTransportHasAPort() throws IOException {
        Set<String> names = names(CCompiler.host().mlx5Header());
        names.removeIf(name -> !name.matches("mlx5dv_.*(dci|dct|dc)_.*"));
        assertTrue(names.size() >= 2, names::toString);
        assertEquals(Set.of(), withoutPort(names));
    }

    private static Set<String> names(Path header) throws IOException {
        Set<String> names = new TreeSet<>();
        String text = COMMENT.matcher(Files.readString(header)).replaceAll("");
        for (Pattern pattern : Set.of(INLINE, MACRO)) {
            pattern.matcher(text).results().forEach(found -> names.add(found.group(1)));
        }
        return names;
    }

    private static Set<String> withoutPort(Set<String> names) {
        Set<String> missing = new TreeSet<>(names);
        Classes.functions().stream().map(Method::getName).forEach(missing::remove);
        return missing;
    }
}
