package io.github.verbs4j.examples.tutorial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class AcceptLoopTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private int asked;
    private int served;

    private void run(AcceptLoop.Requests requests) {
        new AcceptLoop(
                        requests,
                        request -> served++,
                        Duration.ofMillis(1),
                        new PrintStream(said, true, UTF_8))
                .run();
    }

    private static VerbsException failure() {
        return new VerbsException("rdma_get_cm_event", Errno.EMFILE, null);
    }

    @Test
    void aFailureThatLastsEndsIt() {
        run(
                () -> {
                    asked++;
                    throw failure();
                });
        assertEquals(AcceptLoop.MOST_FAILURES, asked);
        assertEquals(
                "file-transfer: rdma_get_cm_event failed: EMFILE (24)\n".repeat(asked),
                said.toString(UTF_8));
    }

    @Test
    void failuresThatPassDoNotEndIt() {
        run(
                () -> {
                    asked++;
                    if (asked == 100) {
                        throw new IllegalStateException("closed");
                    }
                    if (asked % 10 == 0) {
                        throw new TimeoutException();
                    }
                    if (asked % 10 == 5) {
                        return null;
                    }
                    throw failure();
                });
        assertEquals(100, asked);
        assertEquals(10, served);
    }
}
