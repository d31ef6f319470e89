package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The C functions that the raw layer binds, from its source text. */
final class RawFunctions {

    private static final Pattern METHOD =
            Pattern.compile("public static [\\w<>\\[\\]]+ ((?:ibv|rdma|mlx5dv)_\\w+)\\(");

    /** In the files of rsocket.h all begin with r. */
    private static final Pattern RSOCKET = Pattern.compile("public static \\w+ (r\\w+)\\(");

    private static final Pattern SYMBOL =
            Pattern.compile("\\b(?:ibverbs|rdmacm|mlx5)\\(\\s*\"_*(\\w+)\"");

    private RawFunctions() {}

    /** {@return how each function is reached: "exported" or "inline", by name} */
    static Map<String, String> read(Path verbsFfi) throws IOException {
        Map<String, String> functions = new TreeMap<>();
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(verbsFfi.resolve("src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file);
                all.append(source);
                if (file.getFileName().toString().startsWith("RSocket")) {
                    for (Matcher method = RSOCKET.matcher(source); method.find(); ) {
                        functions.put(method.group(1), "exported");
                    }
                }
            }
        }
        for (Matcher method = METHOD.matcher(all); method.find(); ) {
            functions.put(method.group(1), "inline");
        }
        for (Matcher symbol = SYMBOL.matcher(all); symbol.find(); ) {
            functions.computeIfPresent(symbol.group(1), (_, _) -> "exported");
        }
        return functions;
    }
}
