package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls every function, exported or inline, and compares what arrives in C. The libraries are
 * replaced by a recording one, which takes a process of its own: see {@link MarshallingMain}.
 */
class MarshallingTest {

    @TempDir Path folder;

    @TestFactory
    Stream<DynamicTest> everyFunctionReachesCWithItsArguments()
            throws IOException, InterruptedException {
        CCompiler compiler = CCompiler.host();
        Path library = folder.resolve("libibverbs.so.1");
        compiler.sharedLibrary(
                library,
                List.of("record.h", "exports.c", "provider.c", "mlx5.c"),
                macros(compiler));
        // The same file, so that the loader opens it once and there is one record.
        Files.createSymbolicLink(folder.resolve("librdmacm.so.1"), library);
        Files.createSymbolicLink(folder.resolve("libmlx5.so.1"), library);

        List<String> lines = run();
        assertTrue(lines.contains("end"), () -> "died: " + String.join("\n", lines));
        List<String> results = lines.stream().filter(l -> l.matches("(ok|FAIL) .*")).toList();
        assertTrue(results.size() > 350, () -> "only " + results.size() + " cases");
        return results.stream()
                .map(l -> DynamicTest.dynamicTest(l, () -> assertTrue(l.startsWith("ok "), l)));
    }

    private static List<String> macros(CCompiler compiler) throws IOException {
        String verbs = Files.readString(compiler.headers().getFirst());
        return verbs.contains("(*wr_flush)") ? List.of("-DHAVE_WR_FLUSH") : List.of();
    }

    private List<String> run() throws IOException, InterruptedException {
        String classPath =
                Classes.location(Errno.class) + ":" + Classes.location(MarshallingMain.class);
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:ErrorFile=" + folder.resolve("crash.log"),
                        "-cp",
                        classPath,
                        MarshallingMain.class.getName());
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        Path output = folder.resolve("output.txt");
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return Files.readAllLines(output);
    }
}
