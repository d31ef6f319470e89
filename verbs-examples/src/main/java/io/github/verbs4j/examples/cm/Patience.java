package io.github.verbs4j.examples.cm;

import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long an example waits for its peer. The C tools wait for ever. */
public final class Patience implements Checked {

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "Give up on the peer when nothing happens for so long (default:"
                            + " ${DEFAULT-VALUE}).")
    private int seconds;

    @Override
    public void check() {
        Arguments.range(1, 86_400, "--patience", seconds);
    }

    /** {@return the time} */
    public Duration get() {
        return Duration.ofSeconds(seconds);
    }
}
