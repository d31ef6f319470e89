package io.github.verbs4j.bench.run;

import io.github.verbs4j.bench.report.Measurement;
import java.io.IOException;

/** An implementation of a benchmark. */
interface Side {

    /** {@return the name of the implementation} */
    String name();

    /** Runs one fork. */
    Measurement fork() throws IOException, InterruptedException;
}
