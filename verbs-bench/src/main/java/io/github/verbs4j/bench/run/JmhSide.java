package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** A JMH benchmark: a JVM per fork, with the allocation profiler. */
final class JmhSide implements Side {

    private static final double[] PERCENTS = {0, 50, 90, 95, 99, 99.9, 99.99, 100};

    private final String name;
    private final ChainedOptionsBuilder options;
    private final boolean sampled;
    private final double seconds;
    private final Path log;

    /**
     * A benchmark.
     *
     * @param method class and method, as {@code DeviceLoops.latency}
     * @param params JMH parameters, and {@code threads}
     * @param log what JMH and the fork say; kept under another name when the fork fails
     * @param operations how many operations one call is; 0 for what the method says
     */
    JmhSide(
            String name,
            String method,
            Map<String, String> params,
            int operations,
            Effort effort,
            List<String> jvmOptions,
            Path log) {
        this.name = name;
        this.sampled = method.endsWith(".latency");
        this.log = log;
        this.seconds = effort.startSeconds() + effort.seconds();
        options =
                new OptionsBuilder()
                        .include("\\." + method.replace(".", "\\.") + "$")
                        .forks(1)
                        .warmupIterations(effort.warmups())
                        .warmupTime(TimeValue.milliseconds(effort.millis()))
                        .measurementIterations(effort.iterations())
                        .measurementTime(TimeValue.milliseconds(effort.millis()))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.NORMAL)
                        .output(log.toString())
                        .shouldFailOnError(true)
                        .jvmArgs(jvmOptions.toArray(String[]::new));
        params.forEach(
                (key, value) -> {
                    if (key.equals("threads")) {
                        options.threads(Integer.parseInt(value));
                    } else {
                        options.param(key, value);
                    }
                });
        if (operations > 0) {
            options.operationsPerInvocation(operations);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double seconds() {
        return seconds;
    }

    @Override
    public Measurement fork() throws IOException {
        Collection<RunResult> results;
        try {
            results = new Runner(options.build()).run();
        } catch (RunnerException e) {
            Path kept = log.resolveSibling("failed-" + System.currentTimeMillis() + ".log");
            Files.move(log, kept);
            throw new IOException(reason(e) + " (its output is in " + kept + ")", e);
        }
        if (results.size() != 1) {
            throw new IOException(results.size() + " JMH results instead of one");
        }
        return measurement(results.iterator().next());
    }

    /** JMH wraps what was thrown in a fork several times, as a suppressed exception too. */
    private static String reason(RunnerException e) {
        Throwable reason = e;
        while (reason.getCause() != null || reason.getSuppressed().length > 0) {
            reason =
                    reason.getSuppressed().length > 0
                            ? reason.getSuppressed()[0]
                            : reason.getCause();
        }
        return String.valueOf(reason.getMessage());
    }

    private Measurement measurement(RunResult run) {
        double[] samples =
                run.getBenchmarkResults().stream()
                        .flatMap(benchmark -> benchmark.getIterationResults().stream())
                        .map(IterationResult::getPrimaryResult)
                        .mapToDouble(this::score)
                        .toArray();
        Map<String, Double> percentiles = new LinkedHashMap<>();
        if (sampled) {
            Statistics all = run.getPrimaryResult().getStatistics();
            Arrays.stream(PERCENTS).forEach(p -> percentiles.put(trimmed(p), all.getPercentile(p)));
        }
        return new Measurement(samples, percentiles, allocation(run));
    }

    /** Of a sampled iteration its median, as the C twin; a mean would show the outliers. */
    private double score(Result<?> result) {
        return sampled ? result.getStatistics().getPercentile(50) : result.getScore();
    }

    static String trimmed(double percent) {
        return percent == Math.rint(percent)
                ? Integer.toString((int) percent)
                : Double.toString(percent);
    }

    /** As the benchmark itself counted it, else as JMH's profiler did. */
    private static double allocation(RunResult run) {
        var secondary = run.getSecondaryResults();
        if (secondary.containsKey("allocatedBytes")) {
            return secondary.get("allocatedBytes").getScore()
                    / secondary.get("allocatingOps").getScore();
        }
        for (String key : secondary.keySet()) {
            if (key.endsWith("gc.alloc.rate.norm")) {
                return secondary.get(key).getScore();
            }
        }
        return Double.NaN;
    }
}
