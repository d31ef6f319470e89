package io.github.verbs4j.examples.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an example opened and closed, by the log of the library on its standard error. An object
 * that is left to its parent to close may be reported as a leak, should the garbage collector meet
 * it before; whether it does is chance, so the tests look at this instead.
 */
final class LifecycleLog {

    private static final String LOGGER = "DEBUG io.github.verbs4j.lifecycle - ";
    private static final String LEAK = "was garbage collected but never closed";
    private static final String OPENED = "opened ";
    private static final String CLOSED = "closed ";
    private static final String LEFT_OPEN = ", which was still open";

    private LifecycleLog() {}

    /** {@return what standard error holds besides this log} */
    static String without(String err) {
        StringBuilder rest = new StringBuilder();
        err.lines().filter(line -> !isLog(line)).forEach(line -> rest.append(line).append('\n'));
        return rest.toString();
    }

    /** Requires that nothing leaked, and no parent had to close what its owner should have. */
    static void assertOwnersClosed(String err) {
        assertFalse(err.contains(LEAK), err);
        assertNone(
                lines(err)
                        .filter(what -> what.endsWith(LEFT_OPEN))
                        // A listener of the connection manager ends with its channel.
                        .filter(what -> !what.startsWith("EventChannel@")));
    }

    /** Requires that nothing was open when the process ended, save what lasts as long as it. */
    static void assertAllClosed(String err) {
        List<String> open = new ArrayList<>();
        lines(err)
                .forEach(
                        what -> {
                            if (what.startsWith(OPENED)) {
                                open.add(what.substring(OPENED.length()));
                            } else if (what.startsWith(CLOSED)) {
                                open.remove(what.substring(CLOSED.length()));
                            }
                        });
        assertNone(open.stream().filter(what -> !what.contains(" shared by ")));
    }

    private static void assertNone(Stream<String> faults) {
        assertEquals("", faults.collect(Collectors.joining("\n")), "left open");
    }

    private static Stream<String> lines(String err) {
        return err.lines()
                .filter(LifecycleLog::isLog)
                .map(line -> line.substring(line.indexOf(LOGGER) + LOGGER.length()));
    }

    private static boolean isLog(String line) {
        return line.contains(LOGGER);
    }
}
