package io.github.verbs4j.ffi;

/** An expression of C and the value it must have, or at least have. */
record Fact(String expression, long expected, boolean orMore) {

    Fact(String expression, long expected) {
        this(expression, expected, false);
    }

    boolean agrees(long actual) {
        return actual == expected || (orMore && actual > expected);
    }
}
