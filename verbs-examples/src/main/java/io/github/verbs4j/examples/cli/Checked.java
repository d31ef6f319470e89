package io.github.verbs4j.examples.cli;

/**
 * An example whose options may be wrong in ways that their types let through. They are looked at
 * before it runs, and also where there is no device: {@code --dry-run} does nothing else.
 */
public interface Checked {

    /** Refuses what no run can honour, by {@link Arguments} or an {@link ExampleException}. */
    void check();
}
