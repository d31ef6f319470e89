package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.rdma_cm_event;
import io.github.verbs4j.ffi.rdma_cm_id;
import io.github.verbs4j.ffi.rdma_conn_param;
import io.github.verbs4j.ffi.rdma_ud_param;
import io.github.verbs4j.internal.AhAttrCodec;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.MemorySegment;

/**
 * The copy of a native event, made before it is acknowledged: that frees it.
 *
 * @param id the address of the id
 * @param listenId the address of the listening id of a request, or 0
 * @param token of a MULTICAST event, the number that the join was given
 */
record RawEvent(
        CmEventType type,
        int rawType,
        int status,
        long id,
        long listenId,
        byte[] privateData,
        ConnParam connParam,
        UdParam udParam,
        long token,
        long argument) {

    private static final byte[] NONE = {};

    static RawEvent copy(MemorySegment event) {
        int rawType = rdma_cm_event.event(event);
        CmEventType type = CmEventType.of(rawType);
        MemorySegment id = rdma_cm_event.id(event);
        byte[] privateData = NONE;
        ConnParam conn = null;
        UdParam ud = null;
        long token = 0;
        long argument = 0;
        MemorySegment param = rdma_cm_event.param(event);
        switch (type) {
            case MULTICAST_JOIN, MULTICAST_ERROR -> {
                MemorySegment s = rdma_cm_event.param.ud(param);
                // Here the pointer is what the join was called with, and points at nothing.
                token = rdma_ud_param.private_data(s).address();
                ud = type == CmEventType.MULTICAST_JOIN ? ud(s) : null;
            }
            case USER -> argument = param.get(JAVA_LONG, 0);
            case CONNECT_REQUEST,
                    CONNECT_RESPONSE,
                    CONNECT_ERROR,
                    UNREACHABLE,
                    REJECTED,
                    ESTABLISHED,
                    DISCONNECTED -> {
                if (isDatagram(id)) {
                    MemorySegment s = rdma_cm_event.param.ud(param);
                    privateData =
                            bytes(rdma_ud_param.private_data(s), rdma_ud_param.private_data_len(s));
                    ud = ud(s);
                } else {
                    MemorySegment s = rdma_cm_event.param.conn(param);
                    privateData =
                            bytes(
                                    rdma_conn_param.private_data(s),
                                    rdma_conn_param.private_data_len(s));
                    conn = ConnParam.of(s, privateData);
                }
            }
            default -> {}
        }
        return new RawEvent(
                type,
                rawType,
                rdma_cm_event.status(event),
                id.address(),
                rdma_cm_event.listen_id(event).address(),
                privateData,
                conn,
                ud,
                token,
                argument);
    }

    private static boolean isDatagram(MemorySegment id) {
        return rdma_cm_id.qp_type(IdCore.view(id)) == QpType.UD.value();
    }

    private static UdParam ud(MemorySegment s) {
        return new UdParam(
                AhAttrCodec.read(rdma_ud_param.ah_attr(s)),
                rdma_ud_param.qp_num(s),
                rdma_ud_param.qkey(s));
    }

    private static byte[] bytes(MemorySegment pointer, byte length) {
        int n = Byte.toUnsignedInt(length);
        return pointer.address() == 0 || n == 0
                ? NONE
                : Structs.view(pointer, n).toArray(JAVA_BYTE);
    }
}
