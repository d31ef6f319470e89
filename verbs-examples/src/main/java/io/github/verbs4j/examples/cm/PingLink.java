package io.github.verbs4j.examples.cm;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WorkCompletion;
import io.github.verbs4j.cm.ConnParam;
import io.github.verbs4j.cm.ConnectionOptions;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;
import java.util.function.Consumer;

/** A connection of {@code rping}: short messages, and RDMA of the ping data. */
final class PingLink implements AutoCloseable {

    private final PingConnection connection;
    private final Link link;
    private final Consumer<String> debug;
    private final MemoryRegion message;
    private final SendWr send = new SendWr(1);

    /** Over a connection, telling what it does step by step. */
    PingLink(PingConnection connection, Duration patience, Consumer<String> debug) {
        this.connection = connection;
        this.debug = debug;
        link =
                new Link(
                        connection.qp(),
                        connection.compChannel(),
                        connection::isConnected,
                        patience);
        message = connection.qp().pd().allocateMr(PingInfo.BYTES);
        debug.accept("created qp 0x%06x".formatted(connection.qp().qpNum()));
    }

    static ConnectionOptions options(Duration patience) {
        return new ConnectionOptions()
                .receives(PingConnection.RECEIVES, PingInfo.BYTES)
                .compChannel()
                .timeout(patience)
                .connParam(connParam());
    }

    static ConnParam connParam() {
        return new ConnParam().responderResources(1).initiatorDepth(1).retryCount(7);
    }

    MemoryRegion allocate(int size) {
        return connection
                .qp()
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
        debug.accept("RDMA " + describe(memory));
        perform(send.send(message, 0, PingInfo.BYTES), "send");
    }

    /** Tells the peer to go ahead: what the message says does not matter. */
    void goAhead() throws InterruptedException {
        perform(send.send(message, 0, PingInfo.BYTES), "send");
        debug.accept("server posted go ahead");
    }

    /** {@return where the peer says its memory is} */
    RemoteBuffer receive() throws InterruptedException {
        long number = awaitMessage();
        RemoteBuffer memory = PingInfo.read(connection.received(number));
        connection.repost(number);
        debug.accept("Received " + describe(memory) + " from peer");
        return memory;
    }

    /** Waits until the peer says to go ahead, in whatever words. */
    void awaitGoAhead() throws InterruptedException {
        connection.repost(awaitMessage());
    }

    private long awaitMessage() throws InterruptedException {
        WorkCompletion received = link.received();
        debug.accept("recv completion");
        if (received.byteLen() != PingInfo.BYTES) {
            throw new ExampleException(
                    "Received bogus data, size %d: the peer is no rping", received.byteLen());
        }
        return received.wrId();
    }

    void read(MemoryRegion into, RemoteBuffer from) throws InterruptedException {
        perform(send.read(into, 0, from.length(), from, 0), "rdma read");
    }

    void write(MemoryRegion data, long length, RemoteBuffer to) throws InterruptedException {
        perform(send.write(data, 0, length, to, 0), "rdma write");
    }

    private void perform(SendWr request, String what) throws InterruptedException {
        connection.qp().postSend(request.sendFlags(SendFlags.SIGNALED));
        link.sent();
        debug.accept(what + " completion");
    }

    private static String describe(RemoteBuffer memory) {
        return "addr %x rkey %x len %d".formatted(memory.address(), memory.rkey(), memory.length());
    }

    @Override
    public void close() {
        message.close();
        connection.close();
    }
}
