package io.github.verbs4j;

import io.github.verbs4j.ffi.WorkRequestCalls;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The requests of a {@link SendBatch}: which there are, whether they can be posted, and what the
 * queue pair does with them.
 */
abstract sealed class BatchRequests permits BatchOperations {

    static final int KNOWN_FLAGS =
            SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.IP_CSUM;

    private static final long RD_ATOMIC_OPS =
            SendOp.RDMA_READ.value()
                    | SendOp.ATOMIC_CMP_AND_SWP.value()
                    | SendOp.ATOMIC_FETCH_AND_ADD.value()
                    | SendOp.ATOMIC_WRITE.value()
                    | SendOp.FLUSH.value();
    private static final long OLD_VALUE_OPS =
            SendOp.ATOMIC_CMP_AND_SWP.value() | SendOp.ATOMIC_FETCH_AND_ADD.value();
    private static final long WINDOW_OPS =
            SendOp.BIND_MW.value() | SendOp.LOCAL_INV.value() | SendOp.SEND_WITH_INV.value();

    final QueuePairEx qp;
    final SendRecord[] requests;

    /** Whether each request says where it goes, beyond what the queue pair is connected to. */
    private final boolean addressed;

    final long sendOps;
    final int maxSge;
    final int maxInline;
    final int maxTsoHeader;

    long wrId;
    int wrFlags = SendFlags.SIGNALED;
    int count;
    boolean lent;
    boolean own = true;
    SendWrArray classic;

    BatchRequests(QueuePairEx qp, int capacity, int maxTsoHeader) {
        Check.range("capacity", capacity, 1, 1 << 16);
        this.qp = qp;
        this.sendOps = SendOp.bits(qp.sendOps());
        this.maxSge = qp.cap().maxSendSge();
        this.maxInline = qp.cap().maxInlineData();
        this.maxTsoHeader = maxTsoHeader;
        this.requests = new SendRecord[capacity];
        this.addressed =
                switch (qp.qpType()) {
                    case UD, DRIVER, XRC_SEND -> true;
                    default -> false;
                };
        long sges = maxSge * SendRecord.sgeSize();
        long data = (Math.max(maxInline, maxTsoHeader) + 7L) / 8 * 8;
        long size = sges + SendRecord.SCRATCH + data;
        MemorySegment memory = Arena.ofAuto().allocate(size * capacity, 64);
        for (int i = 0; i < capacity; i++) {
            MemorySegment part = memory.asSlice(i * size, size);
            requests[i] =
                    new SendRecord(
                            part.asSlice(0, sges),
                            part.asSlice(sges, SendRecord.SCRATCH),
                            part.asSlice(sges + SendRecord.SCRATCH, data));
        }
    }

    /** Forgets the requests, and what holds for those that follow. */
    void empty() {
        count = 0;
        wrId = 0;
        wrFlags = SendFlags.SIGNALED;
    }

    SendRecord remote(SendOp op, int rkey, long remoteAddr) {
        SendRecord request = begin(op);
        request.rkey = rkey;
        request.remoteAddress = remoteAddr;
        return request;
    }

    SendRecord begin(SendOp op) {
        if ((sendOps & op.value()) == 0) {
            throw new IllegalStateException(
                    "the queue pair was created without " + op + "; see QpInitAttrEx.sendOps");
        }
        if (!own && !lent) {
            throw new IllegalStateException("the batch may be used inside post only");
        }
        int begun = count; // read once: another thread may begin one, too
        if (begun >= requests.length) {
            throw new IllegalStateException(
                    "the batch is full, it holds " + requests.length + " requests");
        }
        count = begun + 1;
        SendRecord request = requests[begun];
        request.begin(op, wrId, wrFlags);
        return request;
    }

    SendRecord data() {
        SendRecord request = begun();
        if (!SendOpKinds.takesData(request.op)) {
            throw new IllegalStateException(request.op + " takes no data");
        }
        return request;
    }

    SendRecord begun() {
        int begun = count;
        if (begun == 0) {
            throw new IllegalStateException("begin a request first: send, rdmaWrite, …");
        }
        return requests[begun - 1];
    }

    /** Refuses what its type of queue pair cannot post; of a request that is frozen. */
    private void checkAddressed(SendRecord request) {
        if (qp.qpType() == QpType.UD) {
            if (!request.hasAddress()) {
                throw new IllegalStateException("a datagram needs an address");
            }
            if (request.posted() != SendOp.TSO) { // which the device cuts into packets
                qp.sendQueue().checkDatagram(request.length());
            }
        }
        if (qp.qpType() == QpType.DRIVER
                && !request.hasAddress()
                && SendOpKinds.goesToPeer(request.posted())) {
            throw new IllegalStateException("a DC request needs its target: setDcAddr");
        }
        if (qp.qpType() == QpType.XRC_SEND && request.srqn < 0) {
            throw new IllegalStateException("an XRC request needs an SRQ number: setXrcSrqn");
        }
    }

    /**
     * Lent by {@link QueuePairEx#post}, the batch can be filled but not posted; else the reverse.
     */
    void lend(boolean now) {
        own = false;
        lent = now;
    }

    // ---- posting, by one thread at a time; another may add requests meanwhile, so the number of
    // those that are posted is read once, and their traits follow from what each of them is

    /**
     * Freezes the requests and checks them, until {@link #thaw}; returns their traits, those of
     * {@link SendWr}.
     */
    int freeze(int posted) {
        int ops = 0;
        for (int i = 0; i < posted; i++) {
            SendRecord request = requests[i];
            request.freeze();
            SendOp op = request.posted();
            if (op == null) {
                throw SendRecord.changed();
            }
            ops |= op.value();
            if ((op.value() & OLD_VALUE_OPS) != 0 && request.length() != Long.BYTES) {
                throw new IllegalStateException(
                        op + " needs 8 bytes for the old value, it has " + request.length());
            }
            if (addressed) {
                checkAddressed(request);
            }
        }
        return SendWr.ANY
                | ((ops & RD_ATOMIC_OPS) == 0 ? 0 : SendWr.RD_ATOMIC)
                | ((ops & WINDOW_OPS) == 0 ? 0 : SendWr.WINDOW);
    }

    void thaw(int posted) {
        if (addressed) {
            for (int i = 0; i < posted; i++) {
                requests[i].thaw();
            }
        }
    }

    boolean isUneven(int posted) {
        for (int i = 0; i < posted; i++) {
            if (requests[i].isUneven()) {
                return true;
            }
        }
        return false;
    }

    void apply(BatchWindows windows, int posted) {
        for (int i = 0; i < posted; i++) {
            windows.apply(requests[i]);
        }
    }

    void replay(
            WorkRequestCalls calls,
            MemorySegment qpEx,
            MemorySegment mlx5Qp,
            boolean inlineFlag,
            int posted) {
        for (int i = 0; i < posted; i++) {
            requests[i].replay(calls, qpEx, mlx5Qp, inlineFlag);
        }
    }

    /** Takes the first of the frozen requests out, fewer than all; the others keep their order. */
    void dropFirst(int posted, int frozen) {
        for (int i = 0; i < posted; i++) {
            SendRecord first = requests[0];
            System.arraycopy(requests, 1, requests, 0, frozen - 1);
            requests[frozen - 1] = first;
        }
        count = Math.max(0, count - Math.max(0, posted));
    }

    /** Makes classic requests of those that were frozen. */
    SendWrArray classic(int posted) {
        if (classic == null) {
            classic = new SendWrArray(requests.length, Math.max(maxSge, 1));
        }
        for (int i = 0; i < posted; i++) {
            requests[i].copyTo(classic.get(i));
        }
        return classic;
    }
}
