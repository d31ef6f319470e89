package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_CHAR;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.MemorySegment;

/** The connection manager: event channels, identifiers, connection set-up (rdma/rdma_cma.h). */
public final class RdmaCm {

    private static final NativeFunction RDMA_CREATE_EVENT_CHANNEL =
            rdmacm("rdma_create_event_channel", C_POINTER);

    private static final NativeFunction RDMA_DESTROY_EVENT_CHANNEL =
            rdmacm("rdma_destroy_event_channel", null, C_POINTER);

    private static final NativeFunction RDMA_CREATE_ID =
            rdmacm("rdma_create_id", C_INT, C_POINTER, C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction RDMA_CREATE_EP =
            rdmacm("rdma_create_ep", C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_DESTROY_EP =
            rdmacm("rdma_destroy_ep", null, C_POINTER);

    private static final NativeFunction RDMA_DESTROY_ID =
            rdmacm("rdma_destroy_id", C_INT, C_POINTER);

    private static final NativeFunction RDMA_BIND_ADDR =
            rdmacm("rdma_bind_addr", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_RESOLVE_ADDR =
            rdmacm("rdma_resolve_addr", C_INT, C_POINTER, C_POINTER, C_POINTER, C_INT);

    private static final NativeFunction RDMA_RESOLVE_ROUTE =
            rdmacm("rdma_resolve_route", C_INT, C_POINTER, C_INT);

    private static final NativeFunction RDMA_CREATE_QP =
            rdmacm("rdma_create_qp", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_CREATE_QP_EX =
            rdmacm("rdma_create_qp_ex", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_DESTROY_QP =
            rdmacm("rdma_destroy_qp", null, C_POINTER);

    private static final NativeFunction RDMA_CONNECT =
            rdmacm("rdma_connect", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_ESTABLISH = rdmacm("rdma_establish", C_INT, C_POINTER);

    private static final NativeFunction RDMA_LISTEN =
            rdmacm("rdma_listen", C_INT, C_POINTER, C_INT);

    private static final NativeFunction RDMA_GET_REQUEST =
            rdmacm("rdma_get_request", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_ACCEPT =
            rdmacm("rdma_accept", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_REJECT =
            rdmacm("rdma_reject", C_INT, C_POINTER, C_POINTER, C_CHAR);

    private static final NativeFunction RDMA_REJECT_ECE =
            rdmacm("rdma_reject_ece", C_INT, C_POINTER, C_POINTER, C_CHAR);

    private static final NativeFunction RDMA_NOTIFY =
            rdmacm("rdma_notify", C_INT, C_POINTER, C_INT);

    private static final NativeFunction RDMA_DISCONNECT =
            rdmacm("rdma_disconnect", C_INT, C_POINTER);

    private static final NativeFunction RDMA_GET_CM_EVENT =
            rdmacm("rdma_get_cm_event", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_ACK_CM_EVENT =
            rdmacm("rdma_ack_cm_event", C_INT, C_POINTER);

    private static final NativeFunction RDMA_WRITE_CM_EVENT =
            rdmacm("rdma_write_cm_event", C_INT, C_POINTER, C_INT, C_INT, C_LONG);

    private static final NativeFunction RDMA_EVENT_STR = rdmacm("rdma_event_str", C_POINTER, C_INT);

    private RdmaCm() {}

    /** Calls {@code rdma_create_event_channel}. Returns NULL on failure, with errno set. */
    public static MemorySegment rdma_create_event_channel() {
        try {
            return (MemorySegment) RDMA_CREATE_EVENT_CHANNEL.handle().invokeExact(Errno.state());
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_destroy_event_channel}. */
    public static void rdma_destroy_event_channel(MemorySegment channel) {
        try {
            RDMA_DESTROY_EVENT_CHANNEL.handle().invokeExact(Errno.state(), channel);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_create_id}. Returns 0, or -1 with errno set. */
    public static int rdma_create_id(
            MemorySegment channel, MemorySegment id, MemorySegment context, int ps) {
        try {
            return (int)
                    RDMA_CREATE_ID.handle().invokeExact(Errno.state(), channel, id, context, ps);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_create_ep}. Returns 0, or -1 with errno set. */
    public static int rdma_create_ep(
            MemorySegment id, MemorySegment res, MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (int)
                    RDMA_CREATE_EP.handle().invokeExact(Errno.state(), id, res, pd, qp_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_destroy_ep}. */
    public static void rdma_destroy_ep(MemorySegment id) {
        try {
            RDMA_DESTROY_EP.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_destroy_id}. Returns 0, or -1 with errno set. */
    public static int rdma_destroy_id(MemorySegment id) {
        try {
            return (int) RDMA_DESTROY_ID.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_bind_addr}. Returns 0, or -1 with errno set. */
    public static int rdma_bind_addr(MemorySegment id, MemorySegment addr) {
        try {
            return (int) RDMA_BIND_ADDR.handle().invokeExact(Errno.state(), id, addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_resolve_addr}. Returns 0, or -1 with errno set. */
    public static int rdma_resolve_addr(
            MemorySegment id, MemorySegment src_addr, MemorySegment dst_addr, int timeout_ms) {
        try {
            return (int)
                    RDMA_RESOLVE_ADDR
                            .handle()
                            .invokeExact(Errno.state(), id, src_addr, dst_addr, timeout_ms);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_resolve_route}. Returns 0, or -1 with errno set. */
    public static int rdma_resolve_route(MemorySegment id, int timeout_ms) {
        try {
            return (int) RDMA_RESOLVE_ROUTE.handle().invokeExact(Errno.state(), id, timeout_ms);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_create_qp}. Returns 0, or -1 with errno set. */
    public static int rdma_create_qp(
            MemorySegment id, MemorySegment pd, MemorySegment qp_init_attr) {
        try {
            return (int) RDMA_CREATE_QP.handle().invokeExact(Errno.state(), id, pd, qp_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_create_qp_ex}. Returns 0, or -1 with errno set. */
    public static int rdma_create_qp_ex(MemorySegment id, MemorySegment qp_init_attr) {
        try {
            return (int) RDMA_CREATE_QP_EX.handle().invokeExact(Errno.state(), id, qp_init_attr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_destroy_qp}. */
    public static void rdma_destroy_qp(MemorySegment id) {
        try {
            RDMA_DESTROY_QP.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_connect}. Returns 0, or -1 with errno set. */
    public static int rdma_connect(MemorySegment id, MemorySegment conn_param) {
        try {
            return (int) RDMA_CONNECT.handle().invokeExact(Errno.state(), id, conn_param);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_establish}. Returns 0, or -1 with errno set. */
    public static int rdma_establish(MemorySegment id) {
        try {
            return (int) RDMA_ESTABLISH.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_listen}. Returns 0, or -1 with errno set. */
    public static int rdma_listen(MemorySegment id, int backlog) {
        try {
            return (int) RDMA_LISTEN.handle().invokeExact(Errno.state(), id, backlog);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_get_request}. Returns 0, or -1 with errno set. */
    public static int rdma_get_request(MemorySegment listen, MemorySegment id) {
        try {
            return (int) RDMA_GET_REQUEST.handle().invokeExact(Errno.state(), listen, id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_accept}. Returns 0, or -1 with errno set. */
    public static int rdma_accept(MemorySegment id, MemorySegment conn_param) {
        try {
            return (int) RDMA_ACCEPT.handle().invokeExact(Errno.state(), id, conn_param);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_reject}. Returns 0, or -1 with errno set. */
    public static int rdma_reject(
            MemorySegment id, MemorySegment private_data, byte private_data_len) {
        try {
            return (int)
                    RDMA_REJECT
                            .handle()
                            .invokeExact(Errno.state(), id, private_data, private_data_len);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_reject_ece}. Returns 0, or -1 with errno set. */
    public static int rdma_reject_ece(
            MemorySegment id, MemorySegment private_data, byte private_data_len) {
        try {
            return (int)
                    RDMA_REJECT_ECE
                            .handle()
                            .invokeExact(Errno.state(), id, private_data, private_data_len);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_notify}. Returns 0, or -1 with errno set. */
    public static int rdma_notify(MemorySegment id, int event) {
        try {
            return (int) RDMA_NOTIFY.handle().invokeExact(Errno.state(), id, event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_disconnect}. Returns 0, or -1 with errno set. */
    public static int rdma_disconnect(MemorySegment id) {
        try {
            return (int) RDMA_DISCONNECT.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_get_cm_event}. Returns 0, or -1 with errno set. */
    public static int rdma_get_cm_event(MemorySegment channel, MemorySegment event) {
        try {
            return (int) RDMA_GET_CM_EVENT.handle().invokeExact(Errno.state(), channel, event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_ack_cm_event}. Returns 0, or -1 with errno set. */
    public static int rdma_ack_cm_event(MemorySegment event) {
        try {
            return (int) RDMA_ACK_CM_EVENT.handle().invokeExact(Errno.state(), event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_write_cm_event}. Returns 0, or -1 with errno set. */
    public static int rdma_write_cm_event(MemorySegment id, int event, int status, long arg) {
        try {
            return (int)
                    RDMA_WRITE_CM_EVENT.handle().invokeExact(Errno.state(), id, event, status, arg);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_event_str}. Returns a C string that must not be freed. */
    public static MemorySegment rdma_event_str(int event) {
        try {
            return (MemorySegment) RDMA_EVENT_STR.handle().invokeExact(Errno.state(), event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
