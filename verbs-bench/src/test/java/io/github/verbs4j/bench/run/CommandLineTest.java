package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the script and the C twins refuse, before they look for a device. */
class CommandLineTest {

    private static final Path SOURCES = Path.of("src/main/c");
    private static final List<Path> HEADERS =
            List.of(
                    Path.of("/usr/bin/gcc"),
                    Path.of("/usr/include/infiniband/verbs.h"),
                    Path.of("/usr/include/rdma/rdma_cma.h"));

    @TempDir static Path folder;
    private static boolean compiled;

    private record Outcome(int status, String output) {}

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes()).trim();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it does not end");
        return new Outcome(process.exitValue(), output);
    }

    @BeforeAll
    static void compile() throws Exception {
        if (HEADERS.stream().allMatch(Files::exists)) {
            compile("twin", "-libverbs");
            compile("cm_twin", "-lrdmacm", "-libverbs");
            compiled = true;
        }
    }

    private static void compile(String program, String... libraries) throws Exception {
        List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of("-pthread", "-o", folder.resolve(program).toString()));
        command.add(SOURCES.resolve(program + ".c").toString());
        command.addAll(Arrays.asList(libraries));
        assertEquals(new Outcome(0, ""), run(command));
    }

    @ParameterizedTest
    @CsvSource({
        "--port 99999999999, --port takes a number from 1 to 255",
        "--port 0, --port takes a number from 1 to 255",
        "--port 08, --port takes a number from 1 to 255",
        "--gid 256, --gid takes a number from 0 to 255",
        "--gid -1, --gid takes a number from 0 to 255",
        "--peer host:65536, the port of --peer takes a number from 1 to 65535",
        "--peer [::1]:65536, the port of --peer takes a number from 1 to 65535",
        "server 99999999999, the server's TCP port takes a number from 1 to 65535"
    })
    void theScriptRefusesNumbersOutOfBounds(String options, String message) throws Exception {
        String number = options.replaceAll(".*[ :]", "");
        assertEquals(new Outcome(125, "bench: " + message + ", not " + number), bench(options));
    }

    @ParameterizedTest
    @CsvSource({
        "report quick pollEmpty, report and quick do not go together",
        "server quick, server and quick do not go together",
        "quick latency full, quick and full do not go together"
    })
    void theScriptRefusesASecondAction(String options, String message) throws Exception {
        assertEquals(new Outcome(125, "bench: " + message), bench(options));
    }

    private static Outcome bench(String options) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "../scripts/bench"));
        command.addAll(Arrays.asList(options.split(" ")));
        return run(command);
    }

    @ParameterizedTest
    @CsvSource({
        "twin, port=99999999999, 'port takes a number from 1 to 255, not \"99999999999\"'",
        "twin, port=1x, 'port takes a number from 1 to 255, not \"1x\"'",
        "twin, gid=256, 'gid takes a number from -1 to 255, not \"256\"'",
        "twin, size=0, 'size takes a number from 1 to 1073741824, not \"0\"'",
        "twin, depth=0, 'depth takes a number from 1 to 16384, not \"0\"'",
        "twin, batch=, 'batch takes a number from 1 to 16384, not \"\"'",
        "twin, count=2147483648, 'count takes a number from 1 to 2147483647, not \"2147483648\"'",
        "twin, peer=host:99999, 'the port of peer takes a number from 1 to 65535, not \"99999\"'",
        "twin, peer=host, 'twin: peer takes HOST:PORT, not host'",
        "twin, inline=yes, 'twin: inline is true or false, not \"yes\"'",
        "twin, way=FAST, twin: no way FAST",
        "twin, mode=fast, twin: no mode fast",
        "twin, batch=3, twin: batch and signalEvery must divide the depth",
        "cm_twin, millis=99999999999, "
                + "'millis takes a number from 1 to 2147483647, not \"99999999999\"'",
        "cm_twin, address=1.2.3, cm_twin: address=1.2.3?"
    })
    void aTwinRefusesWhatItDoesNotUnderstand(String program, String option, String message)
            throws Exception {
        assumeTrue(compiled, "needs gcc, libibverbs-dev and librdmacm-dev");
        Outcome outcome = run(List.of(folder.resolve(program).toString(), option));
        assertEquals(new Outcome(1, message), outcome);
    }

    @Test
    void theTwinTakesWhatTheHarnessPassesOn() throws Exception {
        assumeTrue(compiled, "needs gcc, libibverbs-dev and librdmacm-dev");
        List<String> command = new ArrayList<>(List.of(folder.resolve("twin").toString()));
        command.addAll(List.of("device=none0", "port=1", "gid=-1", "depth=128", "batch=64"));
        command.addAll(List.of("signalEvery=64", "warmups=0", "way=EXTENDED", "yields=true"));
        assertTrue(run(command).output().startsWith("twin: no device none0"));
    }
}
