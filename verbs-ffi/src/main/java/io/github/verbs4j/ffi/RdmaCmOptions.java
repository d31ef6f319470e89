package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.C_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * The connection manager beyond connecting: addresses, multicast, devices, options
 * (rdma/rdma_cma.h).
 */
public final class RdmaCmOptions {

    private static final NativeFunction RDMA_GET_SRC_PORT =
            rdmacm("rdma_get_src_port", C_SHORT, C_POINTER);

    private static final NativeFunction RDMA_GET_DST_PORT =
            rdmacm("rdma_get_dst_port", C_SHORT, C_POINTER);

    private static final long LOCAL_ADDR =
            rdma_cm_id.route$offset() + rdma_route.addr$offset() + rdma_addr.src_addr$offset();

    private static final long PEER_ADDR =
            rdma_cm_id.route$offset() + rdma_route.addr$offset() + rdma_addr.dst_addr$offset();

    private static final NativeFunction RDMA_GETADDRINFO =
            rdmacm("rdma_getaddrinfo", C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_FREEADDRINFO =
            rdmacm("rdma_freeaddrinfo", null, C_POINTER);

    private static final NativeFunction RDMA_RESOLVE_ADDRINFO =
            rdmacm("rdma_resolve_addrinfo", C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_QUERY_ADDRINFO =
            rdmacm("rdma_query_addrinfo", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_JOIN_MULTICAST =
            rdmacm("rdma_join_multicast", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_JOIN_MULTICAST_EX =
            rdmacm("rdma_join_multicast_ex", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_LEAVE_MULTICAST =
            rdmacm("rdma_leave_multicast", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_GET_DEVICES =
            rdmacm("rdma_get_devices", C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_FREE_DEVICES =
            rdmacm("rdma_free_devices", null, C_POINTER);

    private static final NativeFunction RDMA_SET_OPTION =
            rdmacm("rdma_set_option", C_INT, C_POINTER, C_INT, C_INT, C_POINTER, C_LONG);

    private static final NativeFunction RDMA_MIGRATE_ID =
            rdmacm("rdma_migrate_id", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_INIT_QP_ATTR =
            rdmacm("rdma_init_qp_attr", C_INT, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_SET_LOCAL_ECE =
            rdmacm("rdma_set_local_ece", C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RDMA_GET_REMOTE_ECE =
            rdmacm("rdma_get_remote_ece", C_INT, C_POINTER, C_POINTER);

    private RdmaCmOptions() {}

    /** Calls {@code rdma_get_src_port}. Returns it in network byte order. */
    public static short rdma_get_src_port(MemorySegment id) {
        try {
            return (short) RDMA_GET_SRC_PORT.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_get_dst_port}. Returns it in network byte order. */
    public static short rdma_get_dst_port(MemorySegment id) {
        try {
            return (short) RDMA_GET_DST_PORT.handle().invokeExact(Errno.state(), id);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Returns the address of {@code id->route.addr.src_addr}. */
    public static MemorySegment rdma_get_local_addr(MemorySegment id) {
        return id.asSlice(LOCAL_ADDR);
    }

    /** Returns the address of {@code id->route.addr.dst_addr}. */
    public static MemorySegment rdma_get_peer_addr(MemorySegment id) {
        return id.asSlice(PEER_ADDR);
    }

    /** Calls {@code rdma_getaddrinfo}. Returns 0, -1 with errno set, or an {@code EAI_} value. */
    public static int rdma_getaddrinfo(
            MemorySegment node, MemorySegment service, MemorySegment hints, MemorySegment res) {
        try {
            return (int)
                    RDMA_GETADDRINFO.handle().invokeExact(Errno.state(), node, service, hints, res);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_freeaddrinfo}. */
    public static void rdma_freeaddrinfo(MemorySegment res) {
        try {
            RDMA_FREEADDRINFO.handle().invokeExact(Errno.state(), res);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_resolve_addrinfo}. Returns 0, or -1 with errno set. */
    public static int rdma_resolve_addrinfo(
            MemorySegment id, MemorySegment node, MemorySegment service, MemorySegment hints) {
        try {
            return (int)
                    RDMA_RESOLVE_ADDRINFO
                            .handle()
                            .invokeExact(Errno.state(), id, node, service, hints);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_query_addrinfo}. Returns 0, or -1 with errno set. */
    public static int rdma_query_addrinfo(MemorySegment id, MemorySegment info) {
        try {
            return (int) RDMA_QUERY_ADDRINFO.handle().invokeExact(Errno.state(), id, info);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_join_multicast}. Returns 0, or -1 with errno set. */
    public static int rdma_join_multicast(
            MemorySegment id, MemorySegment addr, MemorySegment context) {
        try {
            return (int) RDMA_JOIN_MULTICAST.handle().invokeExact(Errno.state(), id, addr, context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_join_multicast_ex}. Returns 0, or -1 with errno set. */
    public static int rdma_join_multicast_ex(
            MemorySegment id, MemorySegment mc_join_attr, MemorySegment context) {
        try {
            return (int)
                    RDMA_JOIN_MULTICAST_EX
                            .handle()
                            .invokeExact(Errno.state(), id, mc_join_attr, context);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_leave_multicast}. Returns 0, or -1 with errno set. */
    public static int rdma_leave_multicast(MemorySegment id, MemorySegment addr) {
        try {
            return (int) RDMA_LEAVE_MULTICAST.handle().invokeExact(Errno.state(), id, addr);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_get_devices}. Returns NULL on failure, with errno set. */
    public static MemorySegment rdma_get_devices(MemorySegment num_devices) {
        try {
            return (MemorySegment)
                    RDMA_GET_DEVICES.handle().invokeExact(Errno.state(), num_devices);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_free_devices}. */
    public static void rdma_free_devices(MemorySegment list) {
        try {
            RDMA_FREE_DEVICES.handle().invokeExact(Errno.state(), list);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_set_option}. Returns 0, or -1 with errno set. */
    public static int rdma_set_option(
            MemorySegment id, int level, int optname, MemorySegment optval, long optlen) {
        try {
            return (int)
                    RDMA_SET_OPTION
                            .handle()
                            .invokeExact(Errno.state(), id, level, optname, optval, optlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_migrate_id}. Returns 0, or -1 with errno set. */
    public static int rdma_migrate_id(MemorySegment id, MemorySegment channel) {
        try {
            return (int) RDMA_MIGRATE_ID.handle().invokeExact(Errno.state(), id, channel);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_init_qp_attr}. Returns 0, or -1 with errno set. */
    public static int rdma_init_qp_attr(
            MemorySegment id, MemorySegment qp_attr, MemorySegment qp_attr_mask) {
        try {
            return (int)
                    RDMA_INIT_QP_ATTR
                            .handle()
                            .invokeExact(Errno.state(), id, qp_attr, qp_attr_mask);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_set_local_ece}. Returns 0, or -1 with errno set. */
    public static int rdma_set_local_ece(MemorySegment id, MemorySegment ece) {
        try {
            return (int) RDMA_SET_LOCAL_ECE.handle().invokeExact(Errno.state(), id, ece);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rdma_get_remote_ece}. Returns 0, or -1 with errno set. */
    public static int rdma_get_remote_ece(MemorySegment id, MemorySegment ece) {
        try {
            return (int) RDMA_GET_REMOTE_ECE.handle().invokeExact(Errno.state(), id, ece);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
