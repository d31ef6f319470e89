package io.github.verbs4j;

import io.github.verbs4j.ffi.ibv_qp_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.MemlockLimit;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpAttrCodec;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpCap;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What a queue pair is made with, and out of. Its domain is null for XRC_RECV. */
record QpCreation(Context context, ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {

    /** What must outlive it; refuses what belongs to another context. */
    NativeHandle[] parents() {
        List<NativeHandle> parents = new ArrayList<>();
        if (pd != null) {
            parents.add(pd.nativeHandle());
        }
        if (attr.sendCq() != null) {
            Check.sameContext("sendCq", attr.sendCq().context(), context);
            parents.add(attr.sendCq().nativeHandle());
        }
        if (attr.recvCq() != null) {
            Check.sameContext("recvCq", attr.recvCq().context(), context);
            parents.add(attr.recvCq().nativeHandle());
        }
        if (attr.srq() != null) {
            Check.sameContext("srq", attr.srq().pd().context(), context);
            parents.add(attr.srq().nativeHandle());
        }
        return maker.parents(parents.toArray(NativeHandle[]::new));
    }

    /** Fills in the attributes and makes it. */
    MemorySegment create(MemorySegment init) {
        ibv_qp_init_attr.send_cq(
                init, attr.sendCq() == null ? MemorySegment.NULL : attr.sendCq().handle());
        ibv_qp_init_attr.recv_cq(
                init, attr.recvCq() == null ? MemorySegment.NULL : attr.recvCq().handle());
        ibv_qp_init_attr.srq(init, attr.srq() == null ? MemorySegment.NULL : attr.srq().handle());
        ibv_qp_init_attr.qp_type(init, attr.qpType().value());
        ibv_qp_init_attr.sq_sig_all(init, attr.sqSigAll() ? 1 : 0);
        QpAttrCodec.writeCap(attr.cap(), ibv_qp_init_attr.cap(init));
        return Check.notNull(
                maker.verb(),
                maker.create(pd == null ? MemorySegment.NULL : pd.handle(), init),
                errno -> explainCreate(errno, attr.cap()) + attr.extensions());
    }

    private String explainCreate(int errno, QpCap asked) {
        DeviceAttr limits = context.attributes();
        String text =
                String.format(
                        "%s, max_send_wr %d and max_recv_wr %d (the device allows %d), max_send_sge"
                            + " %d and max_recv_sge %d (it allows %d), max_inline_data %d (a device"
                            + " grants some hundred bytes at most)",
                        attr.qpType(),
                        asked.maxSendWr(),
                        asked.maxRecvWr(),
                        limits.maxQpWr(),
                        asked.maxSendSge(),
                        asked.maxRecvSge(),
                        limits.maxSge(),
                        asked.maxInlineData());
        return switch (errno) {
            case Errno.ENOMEM -> text + "; " + MemlockLimit.explain(-1);
            case Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS -> text + otherWay();
            default -> text;
        };
    }

    /** Some types take another call than the one that was made. */
    private String otherWay() {
        return switch (attr.qpType()) {
            case XRC_RECV -> "; XRC_RECV belongs to an XRC domain: XrcDomain.createRecvQp";
            case XRC_SEND, RAW_PACKET -> "; not every device has " + attr.qpType();
            case DRIVER -> "; DRIVER is made by what its provider has, as mlx5.Mlx5.createDci";
            default -> "";
        };
    }
}
