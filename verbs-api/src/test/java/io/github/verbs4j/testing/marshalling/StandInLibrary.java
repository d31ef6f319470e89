package io.github.verbs4j.testing.marshalling;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "gcc",
                                "-std=gnu11",
                                "-g",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-shared",
                                "-fPIC",
                                "-Wl,-soname," + library.getFileName(),
                                "-o",
                                library.toString()));
        try (Stream<Path> files = Files.list(sources)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".c"))
                    .sorted()
                    .forEach(command::add);
        }
        command.addAll(List.of(more));
        Path log = library.resolveSibling("gcc.log");
        Process gcc;
        try {
            gcc =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            abort("needs gcc and the headers of rdma-core: apt install gcc libibverbs-dev");
            throw e;
        }
        try {
            if (!gcc.waitFor(60, TimeUnit.SECONDS)) {
                gcc.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (gcc.isAlive() || gcc.exitValue() != 0) {
            String output = Files.readString(log);
            if (output.contains("infiniband/verbs.h: No such file")) {
                abort("needs the headers of rdma-core: apt install libibverbs-dev");
            }
            throw new AssertionError(output);
        }
    }

    private static Path sources() {
        return Path.of(StandInLibrary.class.getResource("standin.h").getPath()).getParent();
    }
}
