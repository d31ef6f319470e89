package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import io.github.verbs4j.bench.report.Result;
import java.io.PrintStream;
import java.time.Duration;
import java.util.StringJoiner;

/** Says what has been measured and how long the rest will take. */
final class Progress {

    private final PrintStream out;
    private final int total;
    private final long start = System.nanoTime();
    private int done;

    Progress(PrintStream out, int total) {
        this.out = out;
        this.total = total;
    }

    void measured(Result result) {
        done++;
        Duration left = remaining(Duration.ofNanos(System.nanoTime() - start), done, total);
        StringJoiner values = new StringJoiner(", ");
        result.measurements()
                .forEach((side, measured) -> values.add(side + " " + text(measured, result)));
        out.printf(
                "[%d/%d, %s left] %s %s: %s%n",
                done, total, text(left), result.kind(), result.title(), values);
    }

    private static String text(Measurement measured, Result result) {
        return measured.text(result.unit());
    }

    /** The rest takes as long, one by one, as what is done took. */
    static Duration remaining(Duration elapsed, int done, int total) {
        return elapsed.multipliedBy(total - done).dividedBy(done);
    }

    static String text(Duration time) {
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toSeconds() + " s";
    }
}
