package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.ConnectionOptions;
import java.time.Duration;

/** What both sides of a file transfer agree on. */
final class Transfer {

    /** The server's buffer, which the client fills again and again. */
    static final int BUFFER = 10 << 20;

    private Transfer() {}

    static ConnectionOptions options(Duration patience) {
        return new ConnectionOptions()
                .compChannel()
                .timeout(patience)
                .connParam(
                        new ConnParam().initiatorDepth(1).responderResources(1).rnrRetryCount(7));
    }

    /** {@return bytes, seconds and speed, for people} */
    static String speed(long bytes, long nanos) {
        double seconds = Math.max(1, nanos) / 1e9;
        return "%d bytes in %.2f s = %.2f Gbit/s"
                .formatted(bytes, seconds, bytes * 8 / seconds / 1e9);
    }
}
