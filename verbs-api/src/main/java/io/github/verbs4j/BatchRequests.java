package io.github.verbs4j;

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
    static final long MAX_LENGTH = 0xffffffffL;

    final QueuePairEx qp;
    final SendRecord[] requests;
    final long sendOps;
    final int maxSge;
    final int maxInline;
    final int maxTsoHeader;

    long wrId;
    int wrFlags = SendFlags.SIGNALED;
    int count;
    SendRecord current;
    int traits = SendWr.ANY;
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
        current = null;
        traits = SendWr.ANY;
        wrId = 0;
        wrFlags = SendFlags.SIGNALED;
    }

    SendRecord remote(SendOp op, int rkey, long remoteAddr) {
        SendRecord request = begin(op);
        request.rkey = rkey;
        request.remoteAddress = remoteAddr;
        switch (op) {
            case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> {}
            default -> traits |= SendWr.RD_ATOMIC;
        }
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
        if (count == requests.length) {
            throw new IllegalStateException("the batch is full, it holds " + count + " requests");
        }
        SendRecord request = requests[count++];
        request.begin(op, wrId, wrFlags);
        current = request;
        return request;
    }

    SendRecord data() {
        SendRecord request = begun();
        if (!request.takesData()) {
            throw new IllegalStateException(request.op + " takes no data");
        }
        return request;
    }

    SendRecord begun() {
        if (current == null) {
            throw new IllegalStateException("begin a request first: send, rdmaWrite, …");
        }
        return current;
    }

    void check(SendRecord request) {
        switch (request.op) {
            case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
                if (request.length() != Long.BYTES) {
                    throw new IllegalStateException(
                            request.op
                                    + " needs 8 bytes for the old value, it has "
                                    + request.length());
                }
            }
            default -> {}
        }
        if (qp.qpType() == QpType.UD) {
            if (request.ah == null) {
                throw new IllegalStateException("a datagram needs an address");
            }
            if (request.op != SendOp.TSO) { // which the device cuts into packets
                qp.sendQueue().checkDatagram(request.length());
            }
        }
        if (qp.qpType() == QpType.DRIVER && request.ah == null && request.goesToPeer()) {
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

    int traits() {
        return traits;
    }

    void enterAddressHandle(int index) {
        if (requests[index].ah != null) {
            requests[index].enterAddressHandle();
        }
    }

    void leaveAddressHandle(int index) {
        requests[index].leaveAddressHandle();
    }

    boolean isUneven() {
        for (int i = 0; i < count; i++) {
            if (requests[i].isUneven()) {
                return true;
            }
        }
        return false;
    }

    void apply(BatchWindows windows) {
        for (int i = 0; i < count; i++) {
            windows.apply(requests[i]);
        }
    }

    void replay(MemorySegment qpEx, MemorySegment mlx5Qp, boolean inlineFlag) {
        for (int i = 0; i < count; i++) {
            requests[i].replay(qpEx, mlx5Qp, inlineFlag);
        }
    }

    /** Takes the first requests out, fewer than all; the others keep their order. */
    void dropFirst(int posted) {
        for (int i = 0; i < posted; i++) {
            SendRecord first = requests[0];
            System.arraycopy(requests, 1, requests, 0, count - 1);
            requests[count - 1] = first;
        }
        count -= Math.max(posted, 0);
    }

    SendWrArray classic() {
        if (classic == null) {
            classic = new SendWrArray(requests.length, Math.max(maxSge, 1));
        }
        for (int i = 0; i < count; i++) {
            requests[i].copyTo(classic.get(i));
        }
        return classic;
    }
}
