package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Result;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;

/**
 * Says what has been measured and how long the rest will take. What each benchmark will take is
 * guessed beforehand; how wrong the guesses are is learnt from those that are done.
 */
final class Progress {

    /** So many seconds of what is done count as guessed rightly. */
    private static final double TRUST = 120;

    private final PrintStream out;
    private final int total;
    private final long start = System.nanoTime();
    private int begun;
    private double guessedDone;
    private double guessedRest;

    /**
     * Nothing is done yet.
     *
     * @param out where to say it
     * @param before benchmarks that another part of the run has done
     * @param rest benchmarks that are to be done, those of later parts included
     * @param guessedSeconds what the rest is guessed to take
     */
    Progress(PrintStream out, int before, int rest, double guessedSeconds) {
        this.out = out;
        this.begun = before;
        this.total = before + rest;
        this.guessedRest = guessedSeconds;
    }

    /** Says how much there is to do, and where it will lie. */
    void begin(Path folder) {
        int rest = total - begun;
        out.printf(
                "%d benchmark%s, some %s; results go to %s%n",
                rest,
                rest == 1 ? "" : "s",
                text(Duration.ofSeconds(Math.round(guessedRest))),
                folder);
    }

    /** Another benchmark has begun. */
    void next() {
        begun++;
    }

    void measured(String again, Result result, double guessedSeconds) {
        StringJoiner values = new StringJoiner(", ");
        result.measurements()
                .forEach((side, measured) -> values.add(side + " " + measured.text(result.unit())));
        say(again + result.kind() + " " + result.title() + ": " + values, guessedSeconds);
    }

    void failed(String line, String reason, double guessedSeconds) {
        say(line + " FAILED: " + reason, guessedSeconds);
    }

    private void say(String what, double guessedSeconds) {
        guessedDone += guessedSeconds;
        guessedRest -= guessedSeconds;
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        Duration left = remaining(elapsed, guessedDone, guessedRest);
        out.printf("[%d/%d, %s left] %s%n", begun, total, text(left), what);
    }

    /**
     * The guesses for the rest are as wrong as those for what is done were, except that the first
     * fork makes an archive of classes: what little is done says little.
     */
    static Duration remaining(Duration elapsed, double guessedDone, double guessedRest) {
        double factor = (elapsed.toMillis() / 1e3 + TRUST) / (guessedDone + TRUST);
        return Duration.ofMillis(Math.round(1000 * Math.max(0, guessedRest) * factor));
    }

    static String text(Duration time) {
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toSeconds() + " s";
    }
}
