package io.github.verbs4j.examples.kv;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.lessons.Peer;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Owns the table. It carries out PUTs, which come as messages {@code key, value} and are answered
 * with {@code version}; of GETs it knows nothing.
 */
final class KvServer implements AutoCloseable {

    private static final int DEPTH = 64;

    private final ProtectionDomain pd;
    private final Slots slots;
    private final MemoryRegion table;
    private final SharedReceiveQueue srq;
    private final CompletionQueue cq;
    private final MemoryRegion requests;
    private final MemorySegment answerValue = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final int requestBytes;
    private final Map<Integer, Peer> clients = new HashMap<>();
    private final RecvWr receive = new RecvWr(1);

    /** Inline: the value is copied when it is posted, so one place serves all answers. */
    private final SendWr answer =
            new SendWr(1)
                    .opcode(WrOpcode.SEND)
                    .sge(0, answerValue)
                    .numSge(1)
                    .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);

    private final WcArray wc = new WcArray(DEPTH);
    private long puts;

    KvServer(ProtectionDomain pd, Slots slots) {
        this.pd = pd;
        this.slots = slots;
        requestBytes = Long.BYTES + slots.valueBytes();
        table = pd.allocateMr(slots.tableBytes(), LOCAL_WRITE, REMOTE_READ);
        srq = pd.createSrq(new SrqInitAttr(DEPTH));
        cq = pd.context().createCq(2 * DEPTH);
        requests = pd.allocateMr((long) DEPTH * requestBytes, LOCAL_WRITE);
        for (int i = 0; i < DEPTH; i++) {
            postReceive(i);
        }
    }

    /** Where the table is, for clients to read. */
    RemoteBuffer table() {
        return table.remote();
    }

    long puts() {
        return puts;
    }

    void accept(GidEntry gid, Peer client) {
        Peer peer = new Peer(pd, cq, attr -> attr.srq(srq).maxInlineData(Long.BYTES));
        Peer.connect(gid, client, peer);
        clients.put(peer.qp().qpNum(), peer);
    }

    @Override
    public void close() {
        clients.values().forEach(Peer::close);
        requests.close();
        cq.close();
        srq.close();
        table.close();
    }

    /** Serves what has arrived. {@return whether there was anything} */
    boolean serve() {
        int n = cq.poll(wc);
        for (int i = 0; i < n; i++) {
            wc.checkSuccess(i);
            if (wc.opcode(i) == WcOpcode.RECV) {
                int request = (int) wc.wrId(i);
                long version = put(requests.segment().asSlice(at(request), requestBytes));
                postReceive(request);
                answerValue.set(JAVA_LONG, 0, version);
                clients.get(wc.qpNum(i)).qp().postSend(answer);
                puts++;
            }
        }
        return n > 0;
    }

    private long at(int request) {
        return (long) request * requestBytes;
    }

    private void postReceive(int request) {
        srq.postRecv(receive.wrId(request).sge(requests, at(request), requestBytes));
    }

    private long put(MemorySegment request) {
        long key = request.get(JAVA_LONG_UNALIGNED, 0);
        int slot = slots.first(key);
        for (int probes = 0; probes < slots.count(); probes++) {
            MemorySegment memory = table.segment().asSlice(slots.offset(slot), slots.slotBytes());
            if (Slots.version(memory) == 0 || Slots.key(memory) == key) {
                return slots.put(memory, key, request.asSlice(Long.BYTES));
            }
            slot = slots.next(slot);
        }
        throw new ExampleException("the table of %d slots is full", slots.count());
    }
}
