package io.github.verbs4j.bench.device;

/** Numbers that people give: one that is not understood is refused, not taken for another. */
final class Numbers {

    static final int MAX_TCP_PORT = 65535;

    private Numbers() {}

    /**
     * A number within bounds.
     *
     * @param what whose number it is, for the message
     * @throws IllegalArgumentException when it is not one of those
     */
    static int between(String what, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Neither is that one within the bounds.
        }
        throw new IllegalArgumentException(
                "%s takes a number from %d to %d, not \"%s\"".formatted(what, least, most, text));
    }
}
