package io.github.verbs4j.steering;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_qp;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.ffi.ibv_qp_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.QpKind;
import io.github.verbs4j.internal.QpModification;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A queue pair that only receives, into the work queues of an indirection table, which a hash of
 * each packet chooses (receive side scaling): C's {@code struct ibv_qp} made with {@code
 * rwq_ind_tbl} and {@code rx_hash_conf}. It has no queues of its own, so nothing is posted to it.
 * {@link Flow}s bring it packets. Safe for any thread.
 */
public final class RssQueuePair implements AutoCloseable {

    private final ProtectionDomain pd;
    private final QpType qpType;
    private final NativeHandle handle;
    private final int qpNum;
    private QpState state = QpState.RESET;

    private RssQueuePair(ProtectionDomain pd, QpType qpType, RwqIndTable table, RxHashConf hash) {
        NativeHandle domain = Friend.handleOf(pd, "pd");
        this.pd = pd;
        this.qpType = Objects.requireNonNull(qpType, "qpType");
        Objects.requireNonNull(hash, "hash");
        Context context = pd.context(); // the destroyer must not hold this object
        Check.sameContext("table", table.context(), pd.context());
        this.handle =
                NativeHandle.create(
                        "RssQueuePair",
                        () -> create(table, hash),
                        pointer -> destroy(context, pointer),
                        domain,
                        table.nativeHandle());
        LeakDetector.watch(this, handle);
        this.qpNum = handle.call(qp -> ibv_qp.qp_num(Structs.view(qp, ibv_qp.sizeof())));
    }

    private static void destroy(Context context, MemorySegment qp) {
        Friend.MAIN.keepEvents(context, qp);
        Check.zero("ibv_destroy_qp", QueuePairVerbs.ibv_destroy_qp(qp));
    }

    private MemorySegment create(RwqIndTable table, RxHashConf hash) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_qp_init_attr_ex.allocate(arena);
            ibv_qp_init_attr_ex.qp_type(init, qpType.value());
            ibv_qp_init_attr_ex.comp_mask(
                    init,
                    verbs_h.IBV_QP_INIT_ATTR_PD()
                            | verbs_h.IBV_QP_INIT_ATTR_IND_TABLE()
                            | verbs_h.IBV_QP_INIT_ATTR_RX_HASH());
            ibv_qp_init_attr_ex.pd(init, pd.handle());
            ibv_qp_init_attr_ex.rwq_ind_tbl(init, table.handle());
            hash.write(ibv_qp_init_attr_ex.rx_hash_conf(init), arena);
            return Check.notNull(
                    "ibv_create_qp_ex",
                    QueuePairVerbs.ibv_create_qp_ex(pd.context().handle(), init),
                    errno -> qpType + " with " + hash);
        }
    }

    /**
     * Creates a queue pair over an indirection table.
     *
     * @param pd its domain
     * @param qpType RAW_PACKET or UD
     * @param table the work queues, of the same context
     * @param hash chooses among them
     * @return the queue pair; close it
     * @throws IllegalArgumentException when the table is another context's
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: a key length, field or type that the device lacks, see {@link
     *     io.github.verbs4j.types.RssCaps}; EPERM: raw packets need CAP_NET_RAW
     * @verbs.calls ibv_create_qp_ex
     */
    public static RssQueuePair create(
            ProtectionDomain pd, QpType qpType, RwqIndTable table, RxHashConf hash) {
        return new RssQueuePair(pd, qpType, table, hash);
    }

    /**
     * The domain it was created in.
     *
     * @return the domain
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
        return pd.context();
    }

    /**
     * Its number.
     *
     * @return 24 bits
     */
    public int qpNum() {
        return qpNum;
    }

    /**
     * Changes the attributes that {@code attr} has set. Some devices need INIT and RTR before
     * packets arrive, others have no states here and answer ENOSYS.
     *
     * @param attr what to change
     * @throws IllegalArgumentException when a value is outside what the device allows
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no states here
     * @throws VerbsException as {@link io.github.verbs4j.QueuePair#modify}
     * @verbs.calls ibv_query_device, ibv_modify_qp
     */
    public synchronized void modify(QpAttr attr) {
        QpModification.check(attr, context().queryDevice());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_qp_attr.allocate(arena);
            QpAttrCodec.write(attr, struct);
            int result = handle.call(qp -> QueuePairVerbs.ibv_modify_qp(qp, struct, attr.mask()));
            if (result != 0) {
                throw QpModification.failure(Math.abs(result), QpKind.of(qpType), state, attr);
            }
            if (attr.isSet(QpAttrMask.STATE)) {
                state = attr.qpState();
            }
        }
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

    /**
     * Closes its flows, newest first, and the queue pair.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_qp
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle + "[" + qpType + " " + qpNum + "]";
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
