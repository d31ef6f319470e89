package io.github.verbs4j.examples.cli;

/** An example cannot go on; the message is the line that its user reads. */
public final class ExampleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes the message by {@link String#format}. */
    public ExampleException(String format, Object... args) {
        super(format.formatted(args));
    }
}
