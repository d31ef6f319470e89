package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A C compiler and the rdma-core headers it sees; a test that has none of them is skipped. */
final class CCompiler {

    private static final String UMBRELLA =
            """
            #include <infiniband/verbs.h>
            #include <infiniband/mlx5dv.h>
            #include <rdma/rdma_cma.h>
            #include <rdma/rdma_verbs.h>
            #include <rdma/rsocket.h>
            """;

    private static final String LONG_MUTEX =
            """
            #include <pthread.h>
            typedef union {
                struct __pthread_mutex_s __data;
                char __size[48];
                long __align;
            } long_mutex;
            #define pthread_mutex_t long_mutex
            """;

    private final String prefix;
    private final List<String> options;
    private final String prelude;

    private CCompiler(String prefix, List<String> options, String prelude) {
        this.prefix = prefix;
        this.options = options;
        this.prelude = prelude;
    }

    /** The compiler of this machine, or a skipped test. */
    static CCompiler host() {
        return require(
                new CCompiler("", List.of(), ""),
                "needs gcc and the rdma-core headers: apt install gcc libibverbs-dev"
                        + " librdmacm-dev");
    }

    /**
     * A cross compiler for aarch64 where there is one, and otherwise the host's with the one thing
     * changed that is known to differ.
     */
    static CCompiler aarch64() {
        List<String> systemHeaders = List.of("-idirafter", "/usr/include");
        CCompiler cross = new CCompiler("aarch64-linux-gnu-", systemHeaders, "");
        try {
            cross.headers();
            return cross;
        } catch (IOException | IllegalStateException e) {
            return new CCompiler(host().prefix, List.of(), LONG_MUTEX);
        }
    }

    private static CCompiler require(CCompiler compiler, String otherwise) {
        try {
            compiler.headers();
            return compiler;
        } catch (IOException | IllegalStateException e) {
            return abort(otherwise + " (" + e.getMessage().lines().findFirst().orElse("") + ")");
        }
    }

    /** The header of the mlx5 provider, of whose functions some are ported. */
    Path mlx5Header() throws IOException {
        return find("infiniband/mlx5dv").getFirst();
    }

    /** The headers of rdma-core whose functions are ported. */
    List<Path> headers() throws IOException {
        List<Path> headers = find("infiniband/verbs|rdma/(rdma_cma|rdma_verbs|rsocket)");
        if (headers.size() != 4) {
            throw new IllegalStateException("expected four headers, found " + headers);
        }
        return headers;
    }

    private List<Path> find(String names) throws IOException {
        String output = run(UMBRELLA, command("gcc", "-E", "-M", "-x", "c", "-"));
        return Arrays.stream(output.split("[\\s\\\\]+"))
                .filter(f -> f.matches(".*/(" + names + ")\\.h"))
                .map(Path::of)
                .toList();
    }

    /**
     * Evaluates constant expressions of C, without running anything, so that it works for another
     * machine too.
     */
    long[] evaluate(List<String> expressions, Path folder) throws IOException {
        String source =
                expressions.stream()
                        .map(e -> "(unsigned long long)(" + e + ")")
                        .collect(
                                Collectors.joining(
                                        ",\n",
                                        prelude
                                                + UMBRELLA
                                                + "#include <stddef.h>\n"
                                                + "__attribute__((section(\".probe\"), used)) const"
                                                + " unsigned long long probe[] = {\n",
                                        "\n};\n"));
        Path object = folder.resolve("probe.o");
        Path bytes = folder.resolve("probe.bin");
        run(source, command("gcc", "-w", "-x", "c", "-c", "-o", object.toString(), "-"));
        run(
                "",
                List.of(
                        prefix + "objcopy",
                        "-O",
                        "binary",
                        "--only-section=.probe",
                        object.toString(),
                        bytes.toString()));
        java.nio.LongBuffer values =
                java.nio.ByteBuffer.wrap(Files.readAllBytes(bytes))
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer();
        long[] result = new long[expressions.size()];
        values.get(result);
        return result;
    }

    /** Compiles test resources into a shared library. */
    void sharedLibrary(Path library, List<String> resources, List<String> macros)
            throws IOException {
        Path folder = library.getParent();
        List<String> arguments = new ArrayList<>(macros);
        arguments.addAll(
                List.of("-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library + ""));
        for (String resource : resources) {
            Path copy = folder.resolve(resource);
            try (InputStream in = CCompiler.class.getResourceAsStream(resource)) {
                Files.copy(in, copy);
            }
            if (resource.endsWith(".c")) {
                arguments.add(copy.toString());
            }
        }
        run("", command("gcc", arguments.toArray(String[]::new)));
    }

    private List<String> command(String tool, String... arguments) {
        List<String> command = new ArrayList<>(List.of(prefix + tool));
        command.addAll(options);
        command.addAll(List.of(arguments));
        return command;
    }

    private static String run(String input, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var stdin = process.outputWriter()) {
            stdin.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes());
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException(output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return output;
    }
}
