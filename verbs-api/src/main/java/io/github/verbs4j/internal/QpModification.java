package io.github.verbs4j.internal;

import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;

/** Checks what {@code ibv_modify_qp} would take wrongly, and explains why it failed. */
public final class QpModification {

    private QpModification() {}

    /**
     * Refuses values that a provider would wrap or truncate in silence.
     *
     * @param attr what to change
     * @param limits the device's
     */
    public static void check(QpAttr attr, DeviceAttr limits) {
        if (attr.isSet(QpAttrMask.PORT)) {
            Check.range("port_num", attr.portNum(), 1, limits.physPortCnt());
        }
        if (attr.isSet(QpAttrMask.MAX_DEST_RD_ATOMIC)) {
            Check.range("max_dest_rd_atomic", attr.maxDestRdAtomic(), 0, limits.maxQpRdAtom());
        }
        if (attr.isSet(QpAttrMask.MAX_QP_RD_ATOMIC)) {
            Check.range("max_rd_atomic", attr.maxRdAtomic(), 0, limits.maxQpInitRdAtom());
        }
    }

    /**
     * Explains a failed modification.
     *
     * @param errno what it failed with
     * @param kind the kind of queue pair
     * @param state the state it was in
     * @param attr what was to change
     * @return the exception to throw
     */
    public static VerbsException failure(int errno, QpKind kind, QpState state, QpAttr attr) {
        if (errno == Errno.EINVAL) {
            QpState target = attr.isSet(QpAttrMask.STATE) ? attr.qpState() : state;
            QpStateTable.Result result = QpStateTable.check(kind, state, target, attr.mask());
            if (!result.ok()) {
                return result.toException(errno, attr);
            }
        }
        return Check.failure("ibv_modify_qp", errno, e -> hint(e, state, attr) + attr);
    }

    private static String hint(int errno, QpState state, QpAttr attr) {
        return switch (errno) {
            case Errno.ENODATA ->
                    "GID index "
                            + (attr.ahAttr() == null || attr.ahAttr().grh() == null
                                    ? "?"
                                    : attr.ahAttr().grh().sgidIndex())
                            + " is empty: ";
            case Errno.ETIMEDOUT, Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                    "the peer's GID does not answer on the network of the local GID (wrong GID"
                            + " index, no route, or no ARP answer): ";
            case Errno.EINVAL -> {
                if (state == QpState.SQD) {
                    yield "while requests are still being drained only ERR is taken: wait with"
                            + " drainSends, or go to ERR: ";
                }
                yield attr.isSet(QpAttrMask.AV)
                        ? "all attributes are there, so a value is refused; RoCE needs a GRH with"
                                + " GIDs of one family: "
                        : "";
            }
            case Errno.EPERM -> "a Q_Key with the highest bit set is privileged: ";
            default -> "";
        };
    }
}
