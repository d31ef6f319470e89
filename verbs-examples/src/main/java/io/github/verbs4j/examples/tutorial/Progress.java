package io.github.verbs4j.examples.tutorial;

/** A bar that grows, on one line of a terminal. */
class Progress {

    private static final int WIDTH = 40;

    private final String name;
    private final boolean on;

    Progress(String name, boolean on) {
        this.name = name;
        this.on = on;
    }

    void show(long done, long total) {
        if (on) {
            System.out.print("\r" + line(done, total));
            System.out.flush();
        }
    }

    String line(long done, long total) {
        // A file that grows while it is sent has no more than all of it.
        double part = total <= 0 ? 1 : Math.min(1, (double) done / total);
        int full = (int) (part * WIDTH);
        return "%s [%s%s] %3d %%"
                .formatted(name, "#".repeat(full), ".".repeat(WIDTH - full), (int) (part * 100));
    }

    /** Makes room for what comes after the bar. */
    void end() {
        if (on) {
            System.out.println();
        }
    }
}
