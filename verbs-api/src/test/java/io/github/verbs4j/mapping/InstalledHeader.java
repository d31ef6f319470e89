package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The functions that an installed header of rdma-core declares. */
final class InstalledHeader {

    private static final Pattern NAME = Pattern.compile("\\w[\\s*]+_*((?:ibv_|rdma_|r)\\w+)\\s*$");

    private InstalledHeader() {}

    static Optional<Path> find(String name) {
        return Stream.of("/usr/include", "/usr/local/include")
                .map(folder -> Path.of(folder, name))
                .filter(Files::exists)
                .findFirst();
    }

    /** {@return the names of all functions, exported and inline, without leading underscores} */
    static Set<String> functions(Path header) throws IOException {
        String text = Files.readString(header);
        text = text.replaceAll("(?s)/\\*.*?\\*/", " ");
        text = text.replaceAll("//.*", " ");
        text = text.replaceAll("(?s)#ifdef __cplusplus.*?#endif", " ");
        text = text.replaceAll("(?m)^[ \\t]*#(?:.*\\\\\\R)*.*$", " ");
        Set<String> names = new TreeSet<>();
        int braces = 0;
        int parentheses = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '{' -> braces++;
                case '}' -> braces--;
                case ')' -> parentheses--;
                case '(' -> {
                    if (braces == 0 && parentheses == 0) {
                        Matcher name = NAME.matcher(text.substring(Math.max(0, i - 80), i));
                        if (name.find()) {
                            names.add(name.group(1));
                        }
                    }
                    parentheses++;
                }
                default -> {}
            }
        }
        return names;
    }
}
