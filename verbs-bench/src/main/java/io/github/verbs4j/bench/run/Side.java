package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import java.io.IOException;

/** An implementation of a benchmark. */
interface Side {

    /** {@return the name of the implementation} */
    String name();

    /** {@return what a fork takes, about: a guess for the progress shown} */
    double seconds();

    /** Runs one fork. */
    Measurement fork() throws IOException, InterruptedException;
}
