package io.github.verbs4j.examples.tutorial;

/** Why a server does not take a file. The order is that of the numbers on the wire. */
enum Refusal {
    FAILED("the server failed"),
    BAD_NAME("the server refuses the name"),
    EXISTS("the server has a file of that name"),
    NOT_STORED("the server could not store it"),
    CORRUPTED("what arrived is not what was sent: the SHA-256 differ");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    static Refusal of(long number) {
        return number > 0 && number < values().length ? values()[(int) number] : FAILED;
    }

    @Override
    public String toString() {
        return text;
    }
}
