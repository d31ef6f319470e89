package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;

/** The one message each way of rdma-client and rdma-server. */
final class SixteenBytes {

    private static final int SIZE = 16;

    private SixteenBytes() {}

    static ConnectionOptions options(Duration patience) {
        return new ConnectionOptions()
                .maxSendWr(1)
                .receives(1, SIZE)
                .maxInlineData(SIZE)
                .compChannel()
                .timeout(patience);
    }

    static void send(RdmaConnection peer, Link link, String name) throws InterruptedException {
        boolean inline = peer.qp().cap().maxInlineData() >= SIZE;
        if (!inline) {
            System.out.println(name + ": device doesn't support IBV_SEND_INLINE, using sge sends");
        }
        try (MemoryRegion message = peer.pd().allocateMr(SIZE)) {
            int flags = SendFlags.SIGNALED | (inline ? SendFlags.INLINE : 0);
            peer.qp().postSend(new SendWr(1).send(message, 0, SIZE).sendFlags(flags));
            link.sent();
        }
    }

    static void receive(Link link) throws InterruptedException {
        long length = link.received().byteLen();
        if (length != SIZE) {
            throw new ExampleException("the peer sent %d bytes for %d", length, SIZE);
        }
    }
}
