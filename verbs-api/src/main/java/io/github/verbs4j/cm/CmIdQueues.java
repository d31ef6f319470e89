package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmState.BOUND;
import static io.github.verbs4j.cm.CmState.REQUESTED;
import static io.github.verbs4j.cm.CmState.RESOLVING_ROUTE;
import static io.github.verbs4j.cm.CmState.ROUTE_RESOLVED;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Queues on an id: a part of {@link CmId}. */
abstract sealed class CmIdQueues extends CmIdAddresses permits CmIdConnecting {

    CmIdQueues(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        super(channel, ps, state, handle);
    }

    /**
     * Creates the id's queue pair in the default domain of its device.
     *
     * @param attr its completion queues, made from {@link #context}, and capabilities
     * @return the queue pair, in INIT: receives can be posted; or, of a datagram id, in RTS
     * @throws IllegalStateException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @throws IllegalArgumentException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @throws VerbsException as {@link #createQp(ProtectionDomain, QpInitAttr)}
     * @verbs.calls rdma_create_qp
     */
    public QueuePair createQp(QpInitAttr attr) {
        return createQp(pd(), attr);
    }

    /**
     * Creates the id's queue pair. The connection manager moves it from state to state; closing it,
     * or the id, ends it. With {@link io.github.verbs4j.QpInitAttrEx} it is a {@link
     * io.github.verbs4j.QueuePairEx}. Without a shared receive queue it takes that of {@link
     * #createSrq}, if there is one.
     *
     * @param pd a domain made from {@link #context}
     * @param attr its completion queues, made from {@link #context}, and capabilities
     * @return the queue pair, in INIT: receives can be posted; or, of a datagram id, in RTS
     * @throws IllegalStateException when the id has no device yet, has a queue pair already, or has
     *     begun to connect
     * @throws IllegalArgumentException when the domain or a completion queue is from another
     *     context, or the type is not that of the port space
     * @throws VerbsException EINVAL: a capability above the device's limit; ENOMEM: not enough
     *     memory
     * @verbs.calls rdma_create_qp, rdma_create_qp_ex
     */
    public QueuePair createQp(ProtectionDomain pd, QpInitAttr attr) {
        Objects.requireNonNull(pd, "pd");
        Objects.requireNonNull(attr, "attr");
        return core.inState(
                "rdma_create_qp",
                id -> {
                    core.requireDevice("rdma_create_qp");
                    if (qp() != null) {
                        throw new IllegalStateException("the id has a queue pair already");
                    }
                    Check.sameContext(
                            "pd (make it from the id's context())", pd.context(), context());
                    if (attr.qpType() != core.qpType()) {
                        throw new IllegalArgumentException(
                                "an id of port space "
                                        + ps()
                                        + " takes "
                                        + core.qpType()
                                        + " queue pairs");
                    }
                    QueuePair made = core.make(pd, attr);
                    SharedContexts.FRIEND.moved(
                            made, core.qpType() == QpType.UD ? QpState.RTS : QpState.INIT);
                    core.qp(made);
                    return made;
                },
                BOUND,
                ADDR_RESOLVED,
                RESOLVING_ROUTE,
                ROUTE_RESOLVED,
                REQUESTED);
    }

    /**
     * Creates a shared receive queue in the default domain of the id's device, for the queue pairs
     * of this id and others.
     *
     * @param attr its attributes
     * @return the queue; close it
     * @throws IllegalStateException as {@link #createSrq(ProtectionDomain, SrqInitAttr)}
     * @throws VerbsException as {@link #createSrq(ProtectionDomain, SrqInitAttr)}
     * @verbs.calls ibv_create_srq, ibv_create_srq_ex
     */
    public SharedReceiveQueue createSrq(SrqInitAttr attr) {
        return createSrq(pd(), attr);
    }

    /**
     * Creates a shared receive queue, which the id's queue pair takes when it is given none. As
     * {@code rdma_create_srq}, except that it does not end with the id.
     *
     * @param pd a domain made from {@link #context}
     * @param attr its attributes
     * @return the queue; close it
     * @throws IllegalStateException when the id has no device yet, or has a queue pair already
     * @throws IllegalArgumentException when the domain is from another context
     * @throws VerbsException EINVAL: more than the device allows; ENOMEM: not enough memory
     * @verbs.calls ibv_create_srq, ibv_create_srq_ex
     */
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttr attr) {
        Objects.requireNonNull(pd, "pd");
        Objects.requireNonNull(attr, "attr");
        return core.inState(
                "rdma_create_srq",
                id -> {
                    core.requireDevice("rdma_create_srq");
                    if (qp() != null) {
                        throw new IllegalStateException("the id has a queue pair already");
                    }
                    Check.sameContext(
                            "pd (make it from the id's context())", pd.context(), context());
                    SharedReceiveQueue made = pd.createSrq(attr);
                    core.srq(made);
                    return made;
                });
    }

    /**
     * The attributes that bring a queue pair, which the program made itself and names in {@link
     * ConnParam#qpNum}, to a state: modify it with them to INIT before connecting, and to RTR and
     * RTS at CONNECT_RESPONSE or before accepting.
     *
     * @param to INIT, RTR or RTS
     * @return the attributes, for {@link QueuePair#modify}
     * @throws IllegalArgumentException when it is another state
     * @throws IllegalStateException when the id has no device
     * @throws VerbsException EINVAL: the connection is not far enough
     * @verbs.calls rdma_init_qp_attr
     */
    public QpAttr initQpAttr(QpState to) {
        Objects.requireNonNull(to, "to");
        if (to != QpState.INIT && to != QpState.RTR && to != QpState.RTS) {
            throw new IllegalArgumentException("state " + to + ", must be INIT, RTR or RTS");
        }
        return core.inState(
                "rdma_init_qp_attr",
                id -> {
                    core.requireDevice("rdma_init_qp_attr");
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment attr = ibv_qp_attr.allocate(arena);
                        MemorySegment mask = arena.allocate(JAVA_INT);
                        ibv_qp_attr.qp_state(attr, to.value());
                        if (RdmaCmOptions.rdma_init_qp_attr(id, attr, mask) != 0) {
                            throw Check.failure(
                                    "rdma_init_qp_attr",
                                    IdCore.lastErrno(),
                                    CmErrno.about("to " + to + ", on " + this));
                        }
                        QpAttr result = QpAttrCodec.read(attr);
                        for (QpAttrMask each : QpAttrMask.values()) {
                            if ((mask.get(JAVA_INT, 0) & each.value()) == 0) {
                                result.without(each);
                            }
                        }
                        return result;
                    }
                });
    }
}
