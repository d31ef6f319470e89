package io.github.verbs4j.testing;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Builds a shared library of C sources; a test is skipped where there is no compiler. */
public final class CLibrary {

    private CLibrary() {}

    /**
     * Compiles and links.
     *
     * @param library the file to make, whose name becomes the soname
     * @param sources the C files
     * @param more further arguments of gcc
     */
    public static void build(Path library, List<Path> sources, String... more) throws IOException {
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
        sources.stream().map(Path::toString).sorted().forEach(command::add);
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
}
