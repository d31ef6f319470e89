package io.github.verbs4j.bench.device;

/**
 * What a client tells the server, in one line that the C twin writes too: {@code verbs4j-bench/1
 * OPERATION SIZE DEPTH QP-ADDRESS}. The server answers with its queue pair's address and its
 * buffer.
 *
 * @param operation what will be posted
 * @param size bytes of each message
 * @param depth requests in flight
 * @param address text form of the client's queue pair address
 */
record Greeting(Operation operation, int size, int depth, String address) {

    private static final String VERSION = "verbs4j-bench/1";
    private static final int MAX_DEPTH = 1 << 14;
    private static final int MAX_SIZE = 1 << 30;

    String toLine() {
        return String.join(
                        " ",
                        VERSION,
                        operation.name(),
                        Integer.toString(size),
                        Integer.toString(depth),
                        address)
                + "\n";
    }

    static Greeting parse(String line) {
        String[] fields = line.split(" ");
        if (fields.length != 5 || !fields[0].equals(VERSION)) {
            throw new IllegalArgumentException("not a greeting of " + VERSION + ": " + line);
        }
        return new Greeting(
                Operation.valueOf(fields[1]),
                Numbers.between("size", fields[2], 1, MAX_SIZE),
                Numbers.between("depth", fields[3], 1, MAX_DEPTH),
                fields[4]);
    }

    Workload workload() {
        return new Workload(operation, size, depth, 1, 1, 1, false, Way.CLASSIC);
    }
}
