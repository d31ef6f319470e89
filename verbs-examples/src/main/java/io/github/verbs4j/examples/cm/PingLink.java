package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;

/** A connection of {@code rping}: short messages, and RDMA of the ping data. */
final class PingLink implements AutoCloseable {

    private final RdmaConnection connection;
    private final Link link;
    private final MemoryRegion message;
    private final SendWr send = new SendWr(1);

    PingLink(RdmaConnection connection, Duration patience) {
        this.connection = connection;
        link = new Link(connection, patience);
        message = connection.pd().allocateMr(PingInfo.BYTES);
    }

    static ConnectionOptions options(Duration patience) {
        return new ConnectionOptions()
                .receives(2, PingInfo.BYTES)
                .compChannel()
                .timeout(patience)
                .connParam(new ConnParam().responderResources(1).initiatorDepth(1).retryCount(7));
    }

    MemoryRegion allocate(int size) {
        return connection
                .pd()
                .allocateMr(
                        size,
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_WRITE);
    }

    /** Tells the peer where memory is. */
    void send(RemoteBuffer memory) throws InterruptedException {
        PingInfo.write(message.segment(), memory);
        perform(send.send(message, 0, PingInfo.BYTES));
    }

    /** Tells the peer to go ahead: what the message says does not matter. */
    void goAhead() throws InterruptedException {
        perform(send.send(message, 0, PingInfo.BYTES));
    }

    /** {@return where the peer says its memory is} */
    RemoteBuffer receive() throws InterruptedException {
        WorkCompletion received = link.received();
        if (received.byteLen() != PingInfo.BYTES) {
            throw new ExampleException(
                    "Received bogus data, size %d: the peer is no rping", received.byteLen());
        }
        RemoteBuffer memory = PingInfo.read(connection.received(received.wrId()));
        connection.repost(received.wrId());
        return memory;
    }

    void read(MemoryRegion into, RemoteBuffer from) throws InterruptedException {
        perform(send.read(into, 0, from.length(), from, 0));
    }

    void write(MemoryRegion data, long length, RemoteBuffer to) throws InterruptedException {
        perform(send.write(data, 0, length, to, 0));
    }

    private void perform(SendWr request) throws InterruptedException {
        connection.qp().postSend(request.sendFlags(SendFlags.SIGNALED));
        link.sent();
    }

    @Override
    public void close() {
        message.close();
        connection.close();
    }
}
