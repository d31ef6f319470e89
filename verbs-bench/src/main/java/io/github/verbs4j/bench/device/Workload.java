package io.github.verbs4j.bench.device;

/**
 * What one benchmark does.
 *
 * @param operation what is posted
 * @param size bytes of each message; 8 for atomics
 * @param depth how many requests are in flight at most
 * @param batch how many requests one post takes; divides {@code depth}
 * @param signalEvery every how many requests one is signaled; divides {@code depth}
 * @param sges over how many elements the data is spread
 * @param inline whether the data is copied into the request
 * @param way by which functions
 */
public record Workload(
        Operation operation,
        int size,
        int depth,
        int batch,
        int signalEvery,
        int sges,
        boolean inline,
        Way way) {

    /** Checks that it can be carried out. */
    public Workload {
        if (depth % batch != 0 || depth % signalEvery != 0) {
            throw new IllegalArgumentException("batch and signalEvery must divide the depth");
        }
        if (operation.isAtomic() && (size != 8 || sges != 1)) {
            throw new IllegalArgumentException(operation + " works on 8 bytes, one element");
        }
        if (size < sges) {
            throw new IllegalArgumentException(size + " bytes do not fill " + sges + " elements");
        }
        if (inline && !operation.mayBeInline()) {
            throw new IllegalArgumentException(operation + " takes no inline data");
        }
    }

    /**
     * One request at a time.
     *
     * @param operation what is posted
     * @param size bytes of each message
     * @return the workload
     */
    public static Workload single(Operation operation, int size) {
        return new Workload(operation, size, 1, 1, 1, 1, false, Way.CLASSIC);
    }

    /**
     * The same with several requests in flight.
     *
     * @param newDepth how many
     * @param newBatch how many a post takes
     * @param newSignalEvery every how many one is signaled
     * @return the workload
     */
    public Workload inFlight(int newDepth, int newBatch, int newSignalEvery) {
        return new Workload(operation, size, newDepth, newBatch, newSignalEvery, sges, inline, way);
    }

    /**
     * The same by other functions.
     *
     * @param newWay which
     * @return the workload
     */
    public Workload by(Way newWay) {
        return new Workload(operation, size, depth, batch, signalEvery, sges, inline, newWay);
    }

    /** {@return bytes of element {@code index}: the last takes what does not divide} */
    int sgeLength(int index) {
        int share = size / sges;
        return index == sges - 1 ? size - share * (sges - 1) : share;
    }
}
