package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.Requester;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The C twin: a process per fork. */
final class TwinSide implements Side {

    private final List<String> command = new ArrayList<>();
    private final double seconds;

    /** {@code twin.c}. */
    TwinSide(
            Path program,
            DeviceChoice choice,
            Effort effort,
            String mode,
            Map<String, String> params) {
        this(program, effort, params);
        command.add("mode=" + mode);
        choice.device().ifPresent(name -> command.add("device=" + name));
        choice.peer().ifPresent(address -> command.add("peer=" + address));
        command.add("port=" + choice.port());
        command.add("gid=" + choice.gidIndex());
        // A JVM bound to one processor of several, or limited to it, says one: the twin does as it.
        command.add("yields=" + Requester.YIELDS);
    }

    /** Any program that takes the effort and the parameters, and prints what twin.c prints. */
    TwinSide(Path program, Effort effort, Map<String, String> params) {
        seconds = 0.3 + effort.seconds();
        command.add(program.toString());
        command.add("warmups=" + effort.warmups());
        command.add("iterations=" + effort.iterations());
        command.add("millis=" + effort.millis());
        params.forEach((key, value) -> command.add(key + "=" + value));
    }

    @Override
    public String name() {
        return Result.C;
    }

    @Override
    public double seconds() {
        return seconds;
    }

    @Override
    public Measurement fork() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).start();
        // Beside the other stream, so that neither fills up and stops the twin.
        CompletableFuture<List<String>> errors =
                CompletableFuture.supplyAsync(() -> process.errorReader().lines().toList());
        List<String> lines;
        try (var out = process.inputReader()) {
            lines = out.readAllLines();
        }
        int status = process.waitFor();
        if (status != 0) {
            String reason = String.join("; ", errors.join());
            throw new IOException(reason.isEmpty() ? "the C twin ended with " + status : reason);
        }
        errors.join().forEach(System.err::println);
        return TwinOutput.parse(lines);
    }
}
