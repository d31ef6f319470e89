package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.device.DeviceChoice;
import io.github.verbs4j.bench.device.FirstCompletion;
import io.github.verbs4j.bench.device.Requester;
import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * From the start of a process to the end of its first WRITE: the C twin, a plain JVM, one with an
 * AOT cache, and one with all the options that the README names for short-lived programs.
 */
final class StartSide implements Side {

    /** Beside the cache, in the README too. */
    static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final String name;
    private final List<String> command;
    private final List<String> preparation;
    private final Path prepared;
    private final Effort effort;

    private StartSide(
            String name,
            Effort effort,
            List<String> command,
            List<String> preparation,
            Path prepared) {
        this.name = name;
        this.effort = effort;
        this.command = command;
        this.preparation = preparation;
        this.prepared = prepared;
    }

    static List<Side> all(
            Path nativeFolder, DeviceChoice choice, Effort effort, List<String> jvmOptions) {
        List<String> c = new ArrayList<>(List.of(nativeFolder.resolve("twin").toString()));
        c.add("mode=first");
        choice.device().ifPresent(device -> c.add("device=" + device));
        choice.peer().ifPresent(peer -> c.add("peer=" + peer));
        c.add("port=" + choice.port());
        c.add("gid=" + choice.gidIndex());
        c.add("yields=" + Requester.YIELDS);
        Path aot = nativeFolder.resolve("first.aot");
        List<Side> sides = new ArrayList<>();
        sides.add(new StartSide(Result.C, effort, c, List.of(), null));
        sides.add(new StartSide("Java", effort, java(jvmOptions, List.of()), List.of(), null));
        List<String> training = java(jvmOptions, List.of("-XX:AOTCacheOutput=" + aot));
        List<String> recipe = new ArrayList<>(List.of("-XX:AOTCache=" + aot));
        recipe.addAll(SHORT_LIVED);
        sides.add(
                new StartSide(
                        "Java, AOT cache",
                        effort,
                        java(jvmOptions, List.of("-XX:AOTCache=" + aot)),
                        training,
                        aot));
        sides.add(
                new StartSide(
                        "Java, short-lived", effort, java(jvmOptions, recipe), training, aot));
        return sides;
    }

    private static List<String> java(List<String> jvmOptions, List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(more);
        // An archive serves only the class path that it was made with, of jars.
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(FirstCompletion.class.getName());
        return command;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double seconds() {
        double one = name.equals(Result.C) ? 0.2 : effort.startSeconds();
        return one * (measuredStarts() + (preparation.isEmpty() ? 1 : 2));
    }

    private int measuredStarts() {
        return effort.full() ? 10 : 3;
    }

    @Override
    public Measurement fork() throws IOException, InterruptedException {
        // The first start after another side's finds its files on the disk: it does not count.
        if (prepared != null && !Files.exists(prepared)) {
            run(preparation);
        } else {
            start();
        }
        double[] nanos = new double[measuredStarts()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = start();
        }
        return new Measurement(nanos, Map.of(), Double.NaN);
    }

    /**
     * {@return the time until it says that it is done} Anything else said before counts as failure:
     * a JVM that does not take its cache says so, and would be measured without it.
     */
    private long start() throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var out = process.inputReader()) {
            String first = out.readLine();
            long done = System.nanoTime();
            String rest = String.join("\n", out.readAllLines());
            if (process.waitFor() != 0 || !FirstCompletion.DONE.equals(first)) {
                throw new IOException(name + " said: " + first + "\n" + rest);
            }
            return done - start;
        }
    }

    private void run(List<String> what) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(what).redirectErrorStream(true).start();
        try (var out = process.inputReader()) {
            String output = String.join("\n", out.readAllLines());
            if (process.waitFor() != 0) {
                throw new IOException(name + " failed: " + output);
            }
        }
    }
}
