package io.github.verbs4j.examples.kv;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.lessons.Peer;
import io.github.verbs4j.types.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;

/** Reads the server's table by RDMA READ, and changes it by messages. For one thread. */
final class KvClient implements AutoCloseable {

    private final Peer peer;
    private final Slots slots;
    private final RemoteBuffer table;
    private final MemoryRegion copy;
    private final MemoryRegion request;
    private final MemoryRegion answer;
    private final SendWr read = new SendWr(1);
    private final SendWr send;
    private final RecvWr receive;
    private long again;

    KvClient(ProtectionDomain pd, Slots slots, RemoteBuffer table) {
        this.slots = slots;
        this.table = table;
        peer = new Peer(pd);
        copy = pd.allocateMr(slots.slotBytes(), LOCAL_WRITE);
        request = pd.allocateMr(Long.BYTES + slots.valueBytes(), LOCAL_WRITE);
        answer = pd.allocateMr(Long.BYTES, LOCAL_WRITE);
        send = new SendWr(1).send(request, 0, request.length());
        receive = new RecvWr(1).sge(answer, 0, answer.length());
    }

    @Override
    public void close() {
        answer.close();
        request.close();
        copy.close();
        peer.close();
    }

    Peer peer() {
        return peer;
    }

    /** {@return how many READs found a slot that was being written, and were repeated} */
    long again() {
        return again;
    }

    // @start region=kv-get
    /**
     * Looks a key up.
     *
     * @param value receives the value
     * @return its version; 0 if there is none
     */
    long get(long key, MemorySegment value) throws InterruptedException, TimeoutException {
        int slot = slots.first(key);
        for (int probes = 0; probes < slots.count(); probes++) {
            MemorySegment found = readIntact(slot);
            if (Slots.version(found) == 0) {
                return 0;
            }
            if (Slots.key(found) == key) {
                value.copyFrom(slots.value(found));
                return Slots.version(found);
            }
            slot = slots.next(slot);
        }
        return 0;
    }

    private MemorySegment readIntact(int slot) throws InterruptedException, TimeoutException {
        read.read(copy, 0, slots.slotBytes(), table, slots.offset(slot));
        for (peer.carryOut(read); !slots.isIntact(copy.segment()); peer.carryOut(read)) {
            again++;
            Thread.yield();
        }
        return copy.segment();
    }

    // @end

    /** Stores a value. {@return its version} */
    long put(long key, MemorySegment value) throws InterruptedException, TimeoutException {
        request.segment().set(JAVA_LONG, 0, key);
        request.segment().asSlice(Long.BYTES).copyFrom(value);
        peer.receive(receive);
        peer.qp().postSend(send);
        // Two completions, in any order: the request has gone, the answer has come.
        peer.completion();
        peer.completion();
        return answer.segment().get(JAVA_LONG, 0);
    }
}
