package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.ibverbs;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;
import static io.github.verbs4j.ffi.verbs_h.IB_ROCE_UDP_ENCAP_VALID_PORT_MIN;

import java.lang.foreign.MemorySegment;

/** Texts for the values of enums, and conversions of static rates. */
public final class NameVerbs {

    private static final NativeFunction IBV_NODE_TYPE_STR =
            ibverbs("ibv_node_type_str", C_POINTER, C_INT);

    private static final NativeFunction IBV_PORT_STATE_STR =
            ibverbs("ibv_port_state_str", C_POINTER, C_INT);

    private static final NativeFunction IBV_EVENT_TYPE_STR =
            ibverbs("ibv_event_type_str", C_POINTER, C_INT);

    private static final NativeFunction IBV_WC_STATUS_STR =
            ibverbs("ibv_wc_status_str", C_POINTER, C_INT);

    private static final NativeFunction IBV_WR_OPCODE_STR =
            ibverbs("ibv_wr_opcode_str", C_POINTER, C_INT);

    private static final NativeFunction IBV_RATE_TO_MULT =
            ibverbs("ibv_rate_to_mult", C_INT, C_INT);

    private static final NativeFunction MULT_TO_IBV_RATE =
            ibverbs("mult_to_ibv_rate", C_INT, C_INT);

    private static final NativeFunction IBV_RATE_TO_MBPS =
            ibverbs("ibv_rate_to_mbps", C_INT, C_INT);

    private static final NativeFunction MBPS_TO_IBV_RATE =
            ibverbs("mbps_to_ibv_rate", C_INT, C_INT);

    private NameVerbs() {}

    /** Calls {@code ibv_node_type_str}. Returns a C string that must not be freed. */
    public static MemorySegment ibv_node_type_str(int node_type) {
        try {
            return (MemorySegment) IBV_NODE_TYPE_STR.handle().invokeExact(Errno.state(), node_type);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_port_state_str}. Returns a C string that must not be freed. */
    public static MemorySegment ibv_port_state_str(int port_state) {
        try {
            return (MemorySegment)
                    IBV_PORT_STATE_STR.handle().invokeExact(Errno.state(), port_state);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_event_type_str}. Returns a C string that must not be freed. */
    public static MemorySegment ibv_event_type_str(int event) {
        try {
            return (MemorySegment) IBV_EVENT_TYPE_STR.handle().invokeExact(Errno.state(), event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_wc_status_str}. Returns a C string that must not be freed. */
    public static MemorySegment ibv_wc_status_str(int status) {
        try {
            return (MemorySegment) IBV_WC_STATUS_STR.handle().invokeExact(Errno.state(), status);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_wr_opcode_str}. Returns a C string that must not be freed. */
    public static MemorySegment ibv_wr_opcode_str(int opcode) {
        try {
            return (MemorySegment) IBV_WR_OPCODE_STR.handle().invokeExact(Errno.state(), opcode);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_rate_to_mult}. Returns the multiple of 2.5 Gbit/s, or -1. */
    public static int ibv_rate_to_mult(int rate) {
        try {
            return (int) IBV_RATE_TO_MULT.handle().invokeExact(Errno.state(), rate);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mult_to_ibv_rate}. Returns an {@code enum ibv_rate}. */
    public static int mult_to_ibv_rate(int mult) {
        try {
            return (int) MULT_TO_IBV_RATE.handle().invokeExact(Errno.state(), mult);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code ibv_rate_to_mbps}. Returns Mbit/s, or -1. */
    public static int ibv_rate_to_mbps(int rate) {
        try {
            return (int) IBV_RATE_TO_MBPS.handle().invokeExact(Errno.state(), rate);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code mbps_to_ibv_rate}. Returns an {@code enum ibv_rate}. */
    public static int mbps_to_ibv_rate(int mbps) {
        try {
            return (int) MBPS_TO_IBV_RATE.handle().invokeExact(Errno.state(), mbps);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Returns the UDP source port of RoCE v2 that stands for a flow label. */
    public static short ibv_flow_label_to_udp_sport(int fl) {
        int low = (fl & 0x03FFF) ^ ((fl & 0xFC000) >>> 14);
        return (short) (low | IB_ROCE_UDP_ENCAP_VALID_PORT_MIN());
    }
}
