package io.github.verbs4j.examples.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * How a program ended.
 *
 * @param status its exit status
 * @param out its standard output
 * @param err its standard error
 */
public record Result(int status, String out, String err) {

    /** Of a program: had it left to others to close what it opened, that would be a fault. */
    static Result of(int status, String out, String err) {
        LifecycleLog.assertOwnersClosed(err);
        return new Result(status, out, LifecycleLog.without(err));
    }

    /** Requires success, and nothing on standard error. */
    public Result succeeded() {
        assertEquals(0, status, this::toString);
        assertEquals("", err);
        return this;
    }

    /** Requires this exit status, and one line on standard error that has this text. */
    public Result failed(int expectedStatus, String reason) {
        assertEquals(expectedStatus, status, this::toString);
        assertEquals(1, err.lines().count(), err);
        assertTrue(err.contains(reason), err);
        return this;
    }
}
