package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;

/**
 * Brings a message from the sender's memory to the receiver's in three ways. One thread does the
 * work of both programs, so the times are the sum of both.
 */
final class Transfers implements AutoCloseable {

    /** Way to transfer so many bytes. */
    interface Way {
        void transfer(long size) throws InterruptedException, TimeoutException;
    }

    private final Resources open = new Resources();
    private final Peer sender;
    private final Peer receiver;
    private final Inbox senderInbox;
    private final Inbox receiverInbox;

    /** Where the programs have the message, and want it. */
    private final MemoryRegion source;

    private final MemoryRegion target;

    /** What bcopy copies through. Several senders need several of them. */
    private final MemoryRegion sendBuffer;

    private final MemoryRegion receiveBuffer;
    private int seed;

    Transfers(ProtectionDomain pd, GidEntry gid, long maxSize) {
        sender = open.add(new Peer(pd));
        receiver = open.add(new Peer(pd));
        Peer.connect(gid, sender, receiver);
        senderInbox = open.add(new Inbox(sender));
        receiverInbox = open.add(new Inbox(receiver));
        source = open.add(pd.allocateMr(maxSize, LOCAL_WRITE, REMOTE_READ));
        target = open.add(pd.allocateMr(maxSize, LOCAL_WRITE, REMOTE_WRITE));
        sendBuffer = open.add(pd.allocateMr(maxSize, LOCAL_WRITE));
        receiveBuffer = open.add(pd.allocateMr(maxSize, LOCAL_WRITE));
    }

    @Override
    public void close() {
        open.close();
    }

    /** {@return how many nanoseconds it took to transfer a new message, every byte verified} */
    long timed(Way way, long size) throws InterruptedException, TimeoutException {
        MemorySegment message = source.segment().asSlice(0, size);
        Check.fill(message, ++seed);
        target.segment().asSlice(0, size).fill((byte) 0xee);
        long start = System.nanoTime();
        way.transfer(size);
        long nanos = System.nanoTime() - start;
        Check.equal("the message", message, target.segment().asSlice(0, size));
        return nanos;
    }

    // @start region=bcopy
    void bcopy(long size) throws InterruptedException, TimeoutException {
        receiver.receive(new RecvWr(1).sge(receiveBuffer, 0, size));
        MemorySegment.copy(source.segment(), 0, sendBuffer.segment(), 0, size);
        sender.carryOut(new SendWr(1).send(sendBuffer, 0, size));
        long length = receiver.completion().byteLen(0);
        MemorySegment.copy(receiveBuffer.segment(), 0, target.segment(), 0, length);
    }

    // @end

    // @start region=zcopy-read
    void zcopyRead(long size) throws InterruptedException, TimeoutException {
        receiverInbox.post();
        senderInbox.post();
        senderInbox.send(source.remote().slice(0, size)); // "Here it is."

        RemoteBuffer message = receiverInbox.await();
        receiver.carryOut(new SendWr(1).read(target, 0, message.length(), message, 0));
        receiverInbox.send(message); // "Done: your memory is yours again."

        senderInbox.await();
    }

    // @end

    // @start region=zcopy-write
    void zcopyWrite(long size) throws InterruptedException, TimeoutException {
        senderInbox.post();
        receiverInbox.post();
        receiverInbox.send(target.remote().slice(0, size)); // "I want it here."

        RemoteBuffer wanted = senderInbox.await();
        SendWrArray writeAndSayDone = new SendWrArray(2, 1);
        writeAndSayDone.get(0).write(source, 0, wanted.length(), wanted, 0).sendFlags(0);
        senderInbox.message(writeAndSayDone.get(1), wanted);
        sender.qp().postSend(writeAndSayDone); // In order: who hears "done" has the data.
        sender.completion();

        receiverInbox.await();
    }

    // @end

    /** The small messages of one side: where memory is. */
    private static final class Inbox implements AutoCloseable {
        private final Peer peer;
        private final MemoryRegion mr;

        Inbox(Peer peer) {
            this.peer = peer;
            mr = peer.pd().allocateMr(2 * RemoteBuffer.BYTES, LOCAL_WRITE);
        }

        @Override
        public void close() {
            mr.close();
        }

        void post() {
            peer.receive(new RecvWr(1).sge(mr, RemoteBuffer.BYTES, RemoteBuffer.BYTES));
        }

        RemoteBuffer await() throws InterruptedException, TimeoutException {
            Check.equal("length of an answer", RemoteBuffer.BYTES, peer.completion().byteLen(0));
            return RemoteBuffer.ofBytes(
                    mr.segment()
                            .asSlice(RemoteBuffer.BYTES, RemoteBuffer.BYTES)
                            .toArray(JAVA_BYTE));
        }

        void send(RemoteBuffer buffer) throws InterruptedException, TimeoutException {
            SendWr wr = new SendWr(1);
            message(wr, buffer);
            peer.carryOut(wr);
        }

        void message(SendWr wr, RemoteBuffer buffer) {
            MemorySegment.copy(buffer.toBytes(), 0, mr.segment(), JAVA_BYTE, 0, RemoteBuffer.BYTES);
            wr.send(mr, 0, RemoteBuffer.BYTES).sendFlags(SendFlags.SIGNALED);
        }
    }
}
