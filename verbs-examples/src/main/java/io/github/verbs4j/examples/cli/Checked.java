package io.github.verbs4j.examples.cli;

/**
 * An example, or options that examples share, whose values may be wrong in ways that their types
 * let through. They are looked at before the example runs, and also where there is no device:
 * {@code --dry-run} does nothing else. Shared ones come first.
 */
public interface Checked {

    /** Refuses what no run can honour, by {@link Arguments}. */
    void check();
}
