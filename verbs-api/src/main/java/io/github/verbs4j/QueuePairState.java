package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.DataPath;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Provider;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.QpCap;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

/** What a queue pair is, and the state it is in: a part of {@link QueuePair}. */
abstract sealed class QueuePairState permits QueuePairControl {

    final Context context;
    final ProtectionDomain pd;
    final SharedReceiveQueue srq;
    final QpType qpType;
    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final NativeHandle handle;

    /** Of a DC target the device chooses it late. */
    volatile int qpNum;

    final QpCap cap;
    final int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    final SendQueue sendQueue;
    final ReceiveQueue receiveQueue;
    final McastGroups groups;
    final QpStates states;

    QueuePairState(Context context, ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        this.context = context;
        this.pd = pd;
        this.qpType = attr.qpType();
        this.sendCq = attr.sendCq();
        this.recvCq = attr.recvCq();
        this.srq = attr.srq();
        // First here: failing in the constructors of its queues, later, would leave the native
        // object behind.
        DataPath.linkPostSend(context.operations().postSend());
        DataPath.linkPostRecv(context.operations().postRecv());
        QpCreation creation = new QpCreation(context, pd, attr, maker);
        McastGroups attached = new McastGroups();
        this.groups = attached;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_qp_init_attr.allocate(arena);
            AsyncEvents events = context.asyncEvents();
            this.handle =
                    NativeHandle.create(
                            "QueuePair",
                            () -> creation.create(init),
                            pointer -> {
                                events.closing(pointer);
                                attached.detachAll(pointer);
                                maker.destroy(pointer);
                            },
                            creation.parents());
            events.watch(handle, self());
            this.cap = QpAttrCodec.readCap(ibv_qp_init_attr.cap(init));
        }
        this.qpNum = readQpNum();
        this.sendQueue = new SendQueue(self(), handle, cap);
        this.states = new QpStates(context, qpType, maker.kind(qpType), handle, sendQueue);
        this.receiveQueue =
                new ReceiveQueue(
                        "ibv_post_recv",
                        context.provider() == Provider.SIW
                                ? "Soft-iWARP takes no receive without elements"
                                : "the queue pair is in RESET",
                        handle,
                        context.operations().postRecv(),
                        cap.maxRecvSge());
        LeakDetector.watch(this, handle);
    }

    /** The only class that is one. */
    final QueuePair self() {
        return (QueuePair) this;
    }

    final int readQpNum() {
        return handle.within(qp -> ibv_qp.qp_num(Structs.view(qp, ibv_qp.sizeof())));
    }

    /**
     * The domain it was created in.
     *
     * @return the domain; null for XRC_RECV, which belongs to an {@link XrcDomain}
     */
    public ProtectionDomain pd() {
        return pd;
    }

    /**
     * The context it belongs to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * The transport.
     *
     * @return its type
     */
    public QpType qpType() {
        return qpType;
    }

    /**
     * The number that peers address it by.
     *
     * @return 24 bits; of a DC target 0 before RTR
     */
    public int qpNum() {
        return qpNum;
    }

    /**
     * What the device granted when the queue pair was created: at least what was asked for.
     *
     * @return the capabilities
     */
    public QpCap cap() {
        return cap;
    }

    /**
     * Takes the completions of the send queue.
     *
     * @return the queue; null for XRC_RECV
     */
    public CompletionQueue sendCq() {
        return sendCq;
    }

    /**
     * Takes the completions of the receive queue.
     *
     * @return the queue; null for XRC
     */
    public CompletionQueue recvCq() {
        return recvCq;
    }

    /**
     * Where its receives come from.
     *
     * @return the shared queue, or null when it has a receive queue of its own
     */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * The state that this side set last.
     *
     * @return the state
     */
    public QpState state() {
        return states.state();
    }

    /** One that exists already is in whatever state its creator left it. */
    void adoptState() {
        states.adopt();
    }

    /**
     * Tells whether the queue pair has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_qp *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    @Override
    public String toString() {
        return String.format("%s[%s 0x%06x, %s]", handle, qpType, qpNum, state());
    }

    NativeHandle nativeHandle() {
        return handle;
    }

    SendQueue sendQueue() {
        return sendQueue;
    }

    /** The connection manager moved the queue pair to another state. */
    void moved(QpState newState) {
        states.moved(newState);
    }
}
