package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.Errno;
import io.github.verbs4j.ffi.NewerStructs;
import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.ffi.ibv_values_ex;
import io.github.verbs4j.ffi.timespec;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DeviceAttrCodec;
import io.github.verbs4j.internal.DeviceAttrExCodec;
import io.github.verbs4j.internal.GidTable;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.PortAttrCodec;
import io.github.verbs4j.types.CompCntrCaps;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.RtValues;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/** What a context asks its device. Port numbers were checked before. */
final class ContextQueries {

    private final NativeHandle handle;

    ContextQueries(NativeHandle handle) {
        this.handle = handle;
    }

    DeviceAttr device() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr.allocate(arena);
            Check.zero(
                    "ibv_query_device",
                    handle.call(context -> DeviceVerbs.ibv_query_device(context, attr)));
            return DeviceAttrCodec.read(attr);
        }
    }

    DeviceAttrEx deviceEx() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr_ex.allocate(arena);
            Check.zero(
                    "ibv_query_device_ex",
                    handle.call(
                            context ->
                                    DeviceVerbs.ibv_query_device_ex(
                                            context, MemorySegment.NULL, attr)));
            return DeviceAttrExCodec.read(attr);
        }
    }

    PortAttr port(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_port_attr.allocate(arena);
            Check.zero(
                    "ibv_query_port",
                    handle.call(context -> DeviceVerbs.ibv_query_port(context, (byte) port, attr)),
                    errno -> "port " + port);
            return PortAttrCodec.read(attr);
        }
    }

    List<GidEntry> gidTable(int ports) {
        int slots = 0;
        for (int port = 1; port <= ports; port++) {
            slots += port(port).gidTblLen();
        }
        int capacity = slots;
        return handle.within(context -> GidTable.read(context, capacity));
    }

    int pkey(int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(JAVA_SHORT);
            int result =
                    handle.call(
                            context ->
                                    DeviceVerbs.ibv_query_pkey(context, (byte) port, index, pkey));
            if (result != 0) {
                throw Check.failure("ibv_query_pkey", Errno.last(), e -> noPkey(port, index));
            }
            return Short.toUnsignedInt(NetworkOrder.toHost(pkey.get(JAVA_SHORT, 0)));
        }
    }

    private String noPkey(int port, int index) {
        int length = port(port).pkeyTblLen();
        return "port "
                + port
                + (length == 0
                        ? " has no partition keys: it is not of InfiniBand or RoCE"
                        : " has the indices 0 to " + (length - 1) + ", asked for " + index);
    }

    OptionalInt pkeyIndex(int port, int pkey) {
        short key = NetworkOrder.toHost((short) pkey);
        int index =
                handle.call(context -> DeviceVerbs.ibv_get_pkey_index(context, (byte) port, key));
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    RtValues rtValues() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = ibv_values_ex.allocate(arena);
            ibv_values_ex.comp_mask(values, verbs_h.IBV_VALUES_MASK_RAW_CLOCK());
            Check.zero(
                    "ibv_query_rt_values_ex",
                    handle.call(context -> DeviceVerbs.ibv_query_rt_values_ex(context, values)));
            MemorySegment clock = ibv_values_ex.raw_clock(values);
            return new RtValues(timespec.tv_sec(clock), timespec.tv_nsec(clock));
        }
    }

    CompCntrCaps compCntrCaps() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment caps = NewerStructs.comp_cntr_caps(arena);
            Check.zero(
                    "ibv_query_comp_cntr_caps",
                    handle.call(
                            context -> CompletionVerbs.ibv_query_comp_cntr_caps(context, caps)));
            return new CompCntrCaps(
                    NewerStructs.comp_cntr_caps_max_value(caps),
                    Integer.toUnsignedLong(NewerStructs.comp_cntr_caps_max_counters(caps)),
                    CompCntrOp.of(NewerStructs.comp_cntr_caps_supported_qp_attach_ops(caps)));
        }
    }

    long portSpeed(int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment speed = arena.allocate(JAVA_LONG);
            int result =
                    Check.present(
                            () ->
                                    handle.call(
                                            context ->
                                                    DeviceVerbs.ibv_query_port_speed(
                                                            context, port, speed)));
            Check.zero("ibv_query_port_speed", result, errno -> "port " + port);
            return speed.get(JAVA_LONG, 0);
        }
    }
}
