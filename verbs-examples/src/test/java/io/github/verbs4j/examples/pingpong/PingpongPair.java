package io.github.verbs4j.examples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.TestDevice;
import java.util.List;
import java.util.stream.Stream;

/** One of our ping-pong tools and its C twin, which are to meet on a port of their own. */
final class PingpongPair {

    private final String name;
    private final String device;
    private final String gid;
    final int port;

    PingpongPair(String name) throws Exception {
        this.name = name;
        Device roce = TestDevice.get(TestDevice.Kind.ROCE);
        device = roce.name();
        try (Context context = roce.open()) {
            gid = String.valueOf(context.defaultGid(1).index());
        }
        port = Ports.free();
    }

    /** The options of both sides, then those of one. */
    private String[] command(String program, String options, String... host) {
        String common = "-d %s -g %s -p %d %s".formatted(device, gid, port, options).trim();
        return Stream.of(Stream.of(program), Stream.of(common.split(" +")), Stream.of(host))
                .flatMap(part -> part)
                .toArray(String[]::new);
    }

    Example ours(String options, String... host) {
        return Example.start(command(name, options, host));
    }

    Tool theirs(String options, String... host) throws Exception {
        return Tool.start(command("ibv_" + name.replace('-', '_'), options, host));
    }

    /** Our server and their client do the same, and print the same. */
    void oursServes(String ourOptions, String theirOptions) throws Exception {
        Example server = ours(ourOptions);
        Ports.awaitListener(port);
        try (Tool client = theirs(theirOptions, "127.0.0.1")) {
            assertSameLines(client.await(), server.await(), ourOptions);
        }
    }

    /** Their server and our client do the same, and print the same. */
    void theirsServes(String ourOptions, String theirOptions) throws Exception {
        try (Tool server = theirs(theirOptions)) {
            Ports.awaitListener(port);
            Example client = ours(ourOptions, "127.0.0.1");
            assertSameLines(server.await(), client.await(), ourOptions);
        }
    }

    /** The lines of both sides, numbers apart: each must have the C tool's form. */
    private void assertSameLines(Result c, Result java, String options) {
        boolean ud = name.startsWith("ud");
        long iters = number(options, "-n", 1000);
        long bytes = number(options, "-s", ud ? 1024 : 4096) * iters * 2;
        int qps = name.startsWith("srq") ? (int) number(options, "-q", 16) : 1;
        for (Result result : List.of(c.succeeded(), java.succeeded())) {
            List<String> lines = result.out().lines().toList();
            assertEquals(2 * qps + 2, lines.size(), result.out());
            assertTrue(lines.get(2 * qps).matches(bytes + " bytes in .* seconds = .* Mbit/sec"));
            assertTrue(
                    lines.get(2 * qps + 1).matches(iters + " iters in .* seconds = .* usec/iter"));
            assertEquals(ud, lines.getFirst().contains(": GID"), result.out());
        }
        assertEquals(addresses(c, "local address: "), addresses(java, "remote address:"));
        assertEquals(addresses(java, "local address: "), addresses(c, "remote address:"));
    }

    private static List<String> addresses(Result result, String which) {
        return result.out()
                .lines()
                .filter(line -> line.startsWith("  " + which + " "))
                .map(line -> line.substring(which.length() + 3).replace(": GID", ", GID"))
                .toList();
    }

    private static long number(String options, String option, long otherwise) {
        List<String> words = List.of(options.split(" "));
        int at = words.indexOf(option);
        return at < 0 ? otherwise : Long.parseLong(words.get(at + 1));
    }
}
