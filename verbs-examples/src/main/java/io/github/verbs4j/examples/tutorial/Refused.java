package io.github.verbs4j.examples.tutorial;

/** A file is not taken. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final Refusal reason;

    Refused(Refusal reason, String message) {
        super(message);
        this.reason = reason;
    }

    Refusal reason() {
        return reason;
    }
}
