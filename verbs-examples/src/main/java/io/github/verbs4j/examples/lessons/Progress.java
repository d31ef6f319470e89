package io.github.verbs4j.examples.lessons;

/** Says from time to time how far long work has got; short work says nothing. */
public final class Progress {

    private static final long INTERVAL = 2_000_000_000L;

    private final String what;
    private final long total;
    private long done;
    private long next;

    /** For so many steps. */
    public Progress(String what, long total) {
        this.what = what;
        this.total = total;
    }

    /** One more step is done. */
    public void step() {
        steps(1);
    }

    /** Some more steps are done. */
    public synchronized void steps(long more) {
        boolean first = done == 0;
        done += more;
        if (first) {
            next = System.nanoTime() + INTERVAL;
        } else if (System.nanoTime() - next > 0) {
            System.out.printf("  %s: %d of %d%n", what, done, total);
            next = System.nanoTime() + INTERVAL;
        }
    }
}
