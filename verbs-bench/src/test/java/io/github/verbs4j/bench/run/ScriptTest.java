package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the functions of scripts/lib/bench.sh do with a run. */
class ScriptTest {

    @TempDir Path folder;

    private static final String ASKED =
            "if measured_requests \"$1\"; then echo yes; else echo no; fi";

    /** With the class path of this test; there may be no JAR yet. */
    private static final String MAIN =
            "JAVA_HOME='%s'; bench_classpath() { echo '%s'; }"
                    .formatted(
                            System.getProperty("java.home"), System.getProperty("java.class.path"));

    private record Outcome(int status, String output) {}

    /** Runs commands of a shell that has the functions; {@code $1} is the folder. */
    private Outcome script(String commands) throws IOException, InterruptedException {
        String prelude = "program=bench; . ../scripts/lib/project.sh; . ../scripts/lib/bench.sh; ";
        Process process =
                new ProcessBuilder(
                                "timeout",
                                "60",
                                "bash",
                                "-c",
                                "set -euo pipefail; " + prelude + commands,
                                "bench",
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes()).trim();
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        return new Outcome(process.exitValue(), output);
    }

    private static Run run(String kind) {
        Measurement one = new Measurement(new double[] {1, 2}, Map.of(), 0);
        Result result = new Result(kind, "latency", Map.of(), "ns", Map.of(Result.C, one));
        return new Run(Map.of("device", "rxe0"), List.of(result));
    }

    @ParameterizedTest
    @CsvSource({"device, yes", "set-up, no", "start, no"})
    void perftestIsAskedOnlyAfterLatenciesAndThroughputsOfTheDevice(String kind, String asked)
            throws Exception {
        run(kind).write(folder.resolve("device.json"));
        assertEquals(new Outcome(0, asked), script(ASKED));
    }

    @Test
    void withoutADevicePartPerftestIsNotAsked() throws Exception {
        assertEquals(new Outcome(0, "no"), script(ASKED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"machine\": {\"date\"",
                "[]",
                "{\"machine\": {}, \"results\": []}",
                "{\"machine\": {}, \"results\": [{}]}",
                "{\"machine\": {}, \"results\": [{\"measurements\": {\"C\": {}}}]}"
            })
    void aFileThatHoldsNoResultsIsNamedAndNothingIsWritten(String json) throws Exception {
        Path file = folder.resolve("device.json");
        Files.writeString(file, json);
        run("overhead").write(folder.resolve("overhead.json"));
        Files.writeString(folder.resolve("table.md"), "as it was");
        Outcome outcome = script(MAIN + "; bench_report \"$1\"");
        assertEquals(
                new Outcome(2, "bench: " + file + " does not hold the results of a run"), outcome);
        assertEquals("as it was", Files.readString(folder.resolve("table.md")));
        assertFalse(Files.exists(folder.resolve("report.html")));
    }

    @Test
    void aFolderWithoutResultsIsRefusedAndStaysEmpty() throws Exception {
        Outcome outcome = script(MAIN + "; bench_report \"$1\"");
        assertEquals(2, outcome.status());
        assertEquals(
                "bench: there is neither %1$s/overhead.json nor %1$s/device.json".formatted(folder),
                outcome.output());
        assertEquals(
                new Outcome(125, "bench: there is no table in " + folder + "/table.md"),
                script("bench_quote \"$1\""));
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run: smoke|is not a whole run of quick or full",
                "run: quick, lines with \"latency\"|is not a whole run of quick or full",
                "run: quick, unfinished|is not a whole run of quick or full",
                "run: quick;* failed: x: no room"
                        + "|is a run with failures, or of sources that were never committed",
                "run: full;* verbs4j: 0123456789ab+changes"
                        + "|is a run with failures, or of sources that were never committed"
            })
    void onlyAWholeRunIsQuoted(String facts, String refusal) throws Exception {
        Files.writeString(
                folder.resolve("table.md"),
                "* " + facts.replace(';', '\n') + "\n\n| overhead |\n| device |\n| start |\n");
        assertEquals(
                new Outcome(125, "bench: " + folder + " " + refusal), script("bench_quote \"$1\""));
    }

    @ParameterizedTest
    @CsvSource({
        "gcc() { kill -INT $$; sleep 20; }; compile x, 130",
        "gcc() { kill -TERM $$; sleep 20; }; compile x, 143",
        "bench_java() { kill -INT $$; }; bench_all quick '', 130",
        "bench_java() { kill -INT $$; return 1; }; bench_all quick '', 130"
    })
    void whoInterruptsBeforeTheFirstResultReadsThat(String commands, int status) throws Exception {
        Outcome outcome =
                script(
                        "bench_home=$1; find_facts() { :; }; pass_on_signals; begin_run; "
                                + commands);
        assertEquals(new Outcome(status, "bench: interrupted before the first result"), outcome);
    }

    @Test
    void whereNothingCanBeWrittenItIsSaidBeforeAnythingIsMeasured() throws Exception {
        Files.createFile(folder.resolve("file"));
        String home = folder + "/file/bench";
        assertEquals(
                new Outcome(125, "bench: the results cannot be written to " + home),
                script("bench_home='" + home + "'; begin_run"));
    }

    @Test
    void aTableWhosePageCannotBeWrittenIsPrintedAllTheSame() throws Exception {
        run("device").write(folder.resolve("device.json"));
        Files.createDirectory(folder.resolve("table.md"));
        Outcome outcome = script(MAIN + "; bench_report \"$1\"");
        assertEquals(1, outcome.status());
        List<String> lines = outcome.output().lines().toList();
        assertTrue(lines.contains("* device: rxe0"), outcome.output());
        assertTrue(lines.getLast().startsWith("bench: the page cannot be written: "));
    }

    @ParameterizedTest
    @CsvSource({
        "host, host:18515",
        "192.0.2.1:5, 192.0.2.1:5",
        "[::1], ::1:18515",
        "[2001:db8::1]:5, 2001:db8::1:5"
    })
    void aPeerMayHaveAnIpv6AddressInBrackets(String peer, String property) throws Exception {
        assertEquals(
                new Outcome(0, "-Dverbs4j.bench.peer=" + property),
                script("parse_bench_options --peer '" + peer + "'; echo \"${properties[@]}\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "::1:5", "[::1]5", "[host]", "[::1", "a:b:c", ":5", ""})
    void aPeerThatIsAmbiguousIsRefused(String peer) throws Exception {
        assertEquals(
                new Outcome(125, "bench: --peer needs HOST[:PORT], an IPv6 address in brackets"),
                script("parse_bench_options --peer '" + peer + "'"));
    }
}
