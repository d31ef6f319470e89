package io.github.verbs4j.mlx5;

import io.github.verbs4j.Context;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.ffi.Mlx5Verbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A DC initiator: the half of the dynamically connected transport that sends. Its requests are
 * those of an RC queue pair, reliable and in order for one target; each names its target by {@link
 * io.github.verbs4j.SendBatch#setDcAddr}. It receives nothing. Safe for any thread.
 */
public final class Dci implements AutoCloseable {

    /** Outstanding READs and atomics, when the device allows as many. */
    private static final int RD_ATOMIC = 16;

    private final QueuePairEx qp;

    Dci(QueuePairEx qp) {
        this.qp = qp;
    }

    /**
     * The queue pair: posts its requests, and has what else all queue pairs have. Requests made of
     * structures ({@link io.github.verbs4j.SendWr}) are refused, they have no room for a target.
     *
     * @return the queue pair, of type DRIVER
     */
    public QueuePairEx qp() {
        return qp;
    }

    /**
     * Makes it ready to send: RESET to INIT, to RTR, to RTS. The path MTU is the port's, READs and
     * atomics get a depth of 16 or what the device allows, and timeouts are moderate. For other
     * values use {@link QueuePairEx#modify} on {@link #qp}: INIT takes {@code pkey_index} and
     * {@code port_num}; RTR {@code path_mtu}; RTS {@code timeout}, {@code retry_cnt}, {@code
     * rnr_retry}, {@code sq_psn} and {@code max_rd_atomic}.
     *
     * @param port the local port, from 1
     * @throws VerbsException EINVAL: it is not in RESET, or a value the device refuses
     * @verbs.calls ibv_query_port, ibv_modify_qp
     */
    public void activate(int port) {
        Context context = qp.context();
        DeviceAttr limits = context.queryDevice();
        Mtu mtu = context.queryPort(port).activeMtu();
        int psn = ThreadLocalRandom.current().nextInt(1 << 24);
        qp.modify(QpAttr.init(port).without(QpAttrMask.ACCESS_FLAGS));
        qp.modify(QpAttr.of(QpState.RTR).pathMtu(mtu));
        qp.modify(QpAttr.rts(psn).maxRdAtomic(Math.min(RD_ATOMIC, limits.maxQpInitRdAtom())));
    }

    /**
     * Takes a stream out of the error that a failed request has put it in. Its requests must all
     * have completed; {@link QueuePairEx#query} tells whether the initiator itself is still in RTS.
     *
     * @param streamId the stream, 0 to 65535
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device or rdma-core has no
     *     streams
     * @throws VerbsException EINVAL: there is no such stream, or it is not in error
     * @throws IllegalStateException when it was closed
     * @verbs.calls mlx5dv_dci_stream_id_reset
     */
    public void streamIdReset(int streamId) {
        Check.range("streamId", streamId, 0, 0xffff);
        NativeHandle handle = Friend.handleOf(qp, "qp");
        Check.zero(
                "mlx5dv_dci_stream_id_reset",
                handle.call(p -> Mlx5Verbs.mlx5dv_dci_stream_id_reset(p, (short) streamId)));
    }

    /**
     * Tells whether it has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return qp.isOpen();
    }

    /**
     * Closes the queue pair. Requests that are outstanding end without a completion.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_qp
     */
    @Override
    public void close() {
        qp.close();
    }

    @Override
    public String toString() {
        return "Dci[" + qp + "]";
    }
}
