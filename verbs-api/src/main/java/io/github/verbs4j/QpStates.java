package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_cap;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.QpKind;
import io.github.verbs4j.internal.QpModification;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The state of a queue pair: as this side set it last, as the device says it is, and what follows
 * from it for sends.
 */
final class QpStates {

    private final Context context;
    private final QpType qpType;
    private final QpKind kind;
    private final NativeHandle handle;
    private final SendQueue sendQueue;

    private volatile QpState state = QpState.RESET;
    private int maxRdAtomic;

    QpStates(
            Context context, QpType qpType, QpKind kind, NativeHandle handle, SendQueue sendQueue) {
        this.context = context;
        this.qpType = qpType;
        this.kind = kind;
        this.handle = handle;
        this.sendQueue = sendQueue;
    }

    /** The state that this side set last. */
    QpState state() {
        return state;
    }

    synchronized void modify(QpAttr attr) {
        QpModification.check(attr, context.attributes());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_qp_attr.allocate(arena);
            QpAttrCodec.write(attr, struct);
            if (attr.isSet(QpAttrMask.STATE) && attr.qpState() == QpState.RESET) {
                sendQueue.suspend();
            }
            int result = handle.call(qp -> QueuePairVerbs.ibv_modify_qp(qp, struct, attr.mask()));
            if (result != 0) {
                throw QpModification.failure(Math.abs(result), kind, stateNow(), attr);
            }
            changed(attr);
        } finally {
            sendQueue.changed(state, maxRdAtomic);
        }
    }

    /** Goes to SQD; there already, it leaves that be: until all is drained a device refuses it. */
    synchronized void drain() {
        if (query().qpState() != QpState.SQD) {
            modify(QpAttr.of(QpState.SQD));
        }
    }

    private void changed(QpAttr attr) {
        if (attr.isSet(QpAttrMask.MAX_QP_RD_ATOMIC)) {
            maxRdAtomic = attr.maxRdAtomic();
        }
        if (attr.isSet(QpAttrMask.PORT)) {
            sendQueue.port(attr.portNum());
        }
        if (attr.isSet(QpAttrMask.STATE)) {
            state = attr.qpState();
            if (state == QpState.RESET) {
                maxRdAtomic = 0;
                sendQueue.windows().reset();
            }
        }
    }

    /** The state for a diagnosis: a failed request may have moved the queue pair to ERR. */
    private QpState stateNow() {
        try {
            QpState now = query().qpState();
            return now == QpState.UNKNOWN ? state : now;
        } catch (VerbsException e) {
            return state;
        }
    }

    QpAttr query() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_qp_attr.allocate(arena);
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            // All up to IBV_QP_DEST_QPN; the later ones are not queried.
            int all = (QpAttrMask.DEST_QPN.value() << 1) - 1;
            Check.zero(
                    "ibv_query_qp",
                    handle.call(qp -> QueuePairVerbs.ibv_query_qp(qp, attr, all, init)));
            if (ibv_qp_init_attr.srq(init).address() != 0) {
                // It has no receives of its own: rxe leaves these as they were in the kernel's
                // heap.
                MemorySegment cap = ibv_qp_attr.cap(attr);
                ibv_qp_cap.max_recv_wr(cap, 0);
                ibv_qp_cap.max_recv_sge(cap, 0);
            }
            QpAttr result = QpAttrCodec.read(attr);
            if (context.provider() == Provider.SIW) {
                // siw leaves the state field as the kernel's stack had it.
                result.qpState(state);
            }
            return result;
        }
    }

    /** Takes the state to be what the device says. */
    void adopt() {
        state = query().qpState();
    }

    /** The connection manager moved the queue pair to another state. */
    synchronized void moved(QpState newState) {
        state = newState;
        if (newState == QpState.RTS && qpType == QpType.RC) {
            maxRdAtomic = grantedRdAtomic();
        }
        if (qpType == QpType.UD) {
            sendQueue.port(portNow());
        }
        sendQueue.changed(state, maxRdAtomic);
    }

    private int portNow() {
        try {
            return query().portNum();
        } catch (VerbsException e) {
            return 0;
        }
    }

    private int grantedRdAtomic() {
        int most = context.attributes().maxQpInitRdAtom();
        // iWARP leaves the depth of READs to the device, and siw reports none.
        if (context.device().transportType() == TransportType.IWARP) {
            return most;
        }
        try {
            return query().maxRdAtomic();
        } catch (VerbsException e) {
            return most;
        }
    }
}
