package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import io.github.verbs4j.bench.report.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the functions of scripts/lib/bench.sh do with a run. */
class ScriptTest {

    @TempDir Path folder;

    private static final String ASKED =
            "if measured_requests \"$1\"; then echo yes; else echo no; fi";

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
}
