package io.github.verbs4j.testing.marshalling;

import static org.junit.jupiter.api.Assumptions.abort;

import io.github.verbs4j.testing.CLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builds the stand-in of all C files beside {@code standin.h}, and one for libmlx5 of those in the
 * folder {@code mlx5}.
 */
final class StandInLibrary {

    private static final String SONAME = "libibverbs.so.1";
    private static final String MLX5_SONAME = "libmlx5.so.1";

    private StandInLibrary() {}

    /** {@return the libraries, in the order in which they must be loaded} */
    static List<Path> build() {
        try {
            refuseIfReal();
            Path folder = Files.createTempDirectory("verbs4j-standin");
            Path library = folder.resolve(SONAME);
            Path mlx5 = folder.resolve(MLX5_SONAME);
            Path sources = sources();
            compile(library, sources);
            compile(mlx5, sources.resolve("mlx5"), "-I" + sources, library.toString());
            return List.of(library, mlx5);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Two libraries of one name in a process: only the first would be used. */
    private static void refuseIfReal() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            if (maps.anyMatch(line -> line.contains("/libibverbs.so"))) {
                abort(
                        "libibverbs is loaded already: run the marshalling tests in a process of"
                                + " their own, as the build does");
            }
        }
    }

    private static void compile(Path library, Path sources, String... more) throws IOException {
        try (Stream<Path> files = Files.list(sources)) {
            CLibrary.build(library, files.filter(f -> f.toString().endsWith(".c")).toList(), more);
        }
    }

    private static Path sources() {
        return Path.of(StandInLibrary.class.getResource("standin.h").getPath()).getParent();
    }
}
