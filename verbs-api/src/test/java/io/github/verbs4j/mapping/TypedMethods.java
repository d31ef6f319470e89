package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which public methods call which C functions, from the {@code @verbs.calls} tags in the source.
 */
final class TypedMethods {

    /** A method of the typed API, without its parameters. */
    record Method(String type, String name) implements Comparable<Method> {

        @Override
        public int compareTo(Method other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return type + "." + name;
        }
    }

    private static final Pattern TAG =
            Pattern.compile("@verbs\\.calls((?:(?!\\s@\\w).)*)", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("\\b(?:ibv|rdma|mlx5dv)_\\w+");
    private static final Pattern DECLARATION =
            Pattern.compile("\\G(?:\\s*@\\w+(?:\\([^)]*\\))?)*[^;{}=(]*?\\b(\\w+)\\s*\\(");

    private static final Pattern PART =
            Pattern.compile("^abstract sealed class [^{]*? permits (\\w+) \\{", Pattern.MULTILINE);

    private TypedMethods() {}

    /** {@return the methods by the functions they call} */
    static Map<String, TreeSet<Method>> read(Path verbsApi) throws IOException {
        Map<String, TreeSet<Method>> calls = new TreeMap<>();
        try (Stream<Path> files = Files.walk(verbsApi.resolve("src/main/java"))) {
            List<Path> sources = files.filter(f -> f.toString().endsWith(".java")).toList();
            for (Path file : sources) {
                String source = Files.readString(file);
                read(type(file.getFileName().toString(), source), source, calls);
            }
        }
        return calls;
    }

    /** A class that only another one of the package extends is a part of that one to its users. */
    private static String type(String file, String source) {
        Matcher part = PART.matcher(source);
        return part.find() ? part.group(1) : file.replace(".java", "");
    }

    private static void read(String type, String source, Map<String, TreeSet<Method>> calls) {
        for (int begin = source.indexOf("/**");
                begin >= 0;
                begin = source.indexOf("/**", begin + 3)) {
            int end = source.indexOf("*/", begin);
            String comment = source.substring(begin, end);
            if (!comment.contains("@verbs.calls")) {
                continue;
            }
            Matcher declaration = DECLARATION.matcher(source);
            if (!declaration.find(end + 2)) {
                throw new AssertionError("@verbs.calls without a method in " + type);
            }
            Method method = new Method(type, declaration.group(1));
            Matcher tag = TAG.matcher(comment);
            tag.find();
            for (Matcher name = NAME.matcher(tag.group(1)); name.find(); ) {
                calls.computeIfAbsent(name.group(), _ -> new TreeSet<>()).add(method);
            }
        }
    }
}
