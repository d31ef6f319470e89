package io.github.verbs4j.examples.cli;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What an example opened, when only the run tells how many there are: closed together, newest
 * first. Where the number is known, try-with-resources does the same.
 */
public final class Resources implements AutoCloseable {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Takes one more. {@return the same} */
    public <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    /** Closes all of them, and throws the first failure once all were tried. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = e instanceof RuntimeException same ? same : new RuntimeException(e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
