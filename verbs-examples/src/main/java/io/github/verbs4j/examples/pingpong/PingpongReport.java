package io.github.verbs4j.examples.pingpong;

/** The two lines that a ping-pong tool ends with. */
final class PingpongReport {

    private PingpongReport() {}

    static void print(long size, int iters, long nanos) {
        double micros = nanos / 1e3;
        long bytes = size * iters * 2;
        System.out.printf(
                "%d bytes in %.2f seconds = %.2f Mbit/sec%n",
                bytes, micros / 1e6, bytes * 8 / micros);
        System.out.printf(
                "%d iters in %.2f seconds = %.2f usec/iter%n", iters, micros / 1e6, micros / iters);
    }
}
