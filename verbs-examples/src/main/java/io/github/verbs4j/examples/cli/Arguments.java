package io.github.verbs4j.examples.cli;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Refuses what an option's type lets through: exit status 2, as for any wrong option. */
public final class Arguments {

    private Arguments() {}

    /** An option's value was wrong. */
    public static final class WrongArgument extends RuntimeException {
        private static final long serialVersionUID = 1L;

        WrongArgument(String message) {
            super(message);
        }
    }

    /** {@return what to throw; the message is made by {@link String#format}} */
    public static WrongArgument wrong(String format, Object... args) {
        return new WrongArgument(format.formatted(args));
    }

    /** Refuses a number that is too small. */
    public static void atLeast(long least, String option, long value) {
        if (value < least) {
            throw wrong("%s must be %d or more, was %d", option, least, value);
        }
    }

    /** Refuses a number outside a range. */
    public static void range(long least, long most, String option, long value) {
        if (value < least || value > most) {
            throw wrong("%s must be %d to %d, was %d", option, least, most, value);
        }
    }

    /** Refuses a number that does not divide evenly. */
    public static void multipleOf(long unit, String option, long value) {
        if (value % unit != 0) {
            throw wrong("%s must be a multiple of %d, was %d", option, unit, value);
        }
    }

    /** Refuses a number that is none of these. */
    public static void oneOf(String option, int value, int... legal) {
        if (IntStream.of(legal).noneMatch(each -> each == value)) {
            throw wrong("%s must be one of %s, was %d", option, Arrays.toString(legal), value);
        }
    }

    /** Refuses what is no index of a GID table, unless none is given. */
    public static void gidIndex(Integer index) {
        if (index != null) {
            range(0, 255, "--gid-idx", index);
        }
    }
}
