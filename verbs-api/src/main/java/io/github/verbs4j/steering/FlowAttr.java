package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_attr;
import io.github.verbs4j.ffi.ibv_flow_spec_action_drop;
import io.github.verbs4j.ffi.ibv_flow_spec_action_handle;
import io.github.verbs4j.ffi.ibv_flow_spec_action_tag;
import io.github.verbs4j.ffi.ibv_flow_spec_counter_action;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;

/**
 * What a flow is created with: C's {@code struct ibv_flow_attr} and the specifications behind it.
 * Copied by the call.
 */
public final class FlowAttr {

    private static final int MAX_SPECS = 255;

    private final FlowAttrType type;
    private final List<FlowSpec> specs = new ArrayList<>();
    private final EnumSet<FlowFlag> flags = EnumSet.noneOf(FlowFlag.class);
    private int priority;
    private int port = 1;

    /**
     * A flow of port 1, with the highest priority.
     *
     * @param type the kind of traffic it takes
     */
    public FlowAttr(FlowAttrType type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * Which of several flows that match comes first.
     *
     * @param number 0 is the highest; up to 65535, devices have fewer
     * @return this
     */
    public FlowAttr priority(int number) {
        priority = (int) Check.range("priority", number, 0, 0xffff);
        return this;
    }

    /**
     * The port of the packets.
     *
     * @param number 1 to 255
     * @return this
     */
    public FlowAttr port(int number) {
        port = (int) Check.range("port", number, 1, 0xff);
        return this;
    }

    /**
     * Sets how the flow works.
     *
     * @param newFlags the flags, in place of those set before
     * @return this
     */
    public FlowAttr flags(FlowFlag... newFlags) {
        flags.clear();
        flags.addAll(List.of(newFlags));
        return this;
    }

    /**
     * Adds filters and actions.
     *
     * @param more filters in the order of the headers in the packet, then actions
     * @return this
     * @throws IllegalArgumentException when there are more than 255
     */
    public FlowAttr spec(FlowSpec... more) {
        Check.range("number of specifications", specs.size() + (long) more.length, 0, MAX_SPECS);
        specs.addAll(List.of(more));
        return this;
    }

    int port() {
        return port;
    }

    List<FlowSpec> specs() {
        return List.copyOf(specs);
    }

    /** The C struct with the specifications behind it, each as long as it says, unpadded. */
    MemorySegment encode(Arena arena) {
        List<MemorySegment> encoded = specs.stream().map(spec -> encode(spec, arena)).toList();
        long size = ibv_flow_attr.sizeof();
        for (MemorySegment spec : encoded) {
            size += spec.byteSize();
        }
        MemorySegment attr = arena.allocate(Check.range("size", size, 0, 0xffff), 8);
        ibv_flow_attr.type(attr, type.value());
        ibv_flow_attr.size(attr, (short) size);
        ibv_flow_attr.priority(attr, (short) priority);
        ibv_flow_attr.num_of_specs(attr, (byte) encoded.size());
        ibv_flow_attr.port(attr, (byte) port);
        ibv_flow_attr.flags(attr, FlowFlag.bits(flags));
        long at = ibv_flow_attr.sizeof();
        for (MemorySegment spec : encoded) {
            MemorySegment.copy(spec, 0, attr, at, spec.byteSize());
            at += spec.byteSize();
        }
        return attr;
    }

    private static MemorySegment encode(FlowSpec spec, Arena arena) {
        return switch (spec) {
            case FilterSpec filter -> filter.encode(arena);
            case FlowSpec.ActionTag tag -> {
                MemorySegment s = ibv_flow_spec_action_tag.allocate(arena);
                ibv_flow_spec_action_tag.type(s, verbs_h.IBV_FLOW_SPEC_ACTION_TAG());
                ibv_flow_spec_action_tag.size(s, (short) s.byteSize());
                ibv_flow_spec_action_tag.tag_id(s, tag.tagId());
                yield s;
            }
            case FlowSpec.ActionDrop _ -> {
                MemorySegment s = ibv_flow_spec_action_drop.allocate(arena);
                ibv_flow_spec_action_drop.type(s, verbs_h.IBV_FLOW_SPEC_ACTION_DROP());
                ibv_flow_spec_action_drop.size(s, (short) s.byteSize());
                yield s;
            }
            case FlowSpec.ActionHandle action -> {
                MemorySegment s = ibv_flow_spec_action_handle.allocate(arena);
                ibv_flow_spec_action_handle.type(s, verbs_h.IBV_FLOW_SPEC_ACTION_HANDLE());
                ibv_flow_spec_action_handle.size(s, (short) s.byteSize());
                ibv_flow_spec_action_handle.action(s, action.action().handle());
                yield s;
            }
            case FlowSpec.ActionCount count -> {
                MemorySegment s = ibv_flow_spec_counter_action.allocate(arena);
                ibv_flow_spec_counter_action.type(s, verbs_h.IBV_FLOW_SPEC_ACTION_COUNT());
                ibv_flow_spec_counter_action.size(s, (short) s.byteSize());
                ibv_flow_spec_counter_action.counters(s, count.counters().handle());
                yield s;
            }
        };
    }
}
