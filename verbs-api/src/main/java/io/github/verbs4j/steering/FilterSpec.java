package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_flow_spec;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one header of a packet must look like: values, and masks that say which of their bits count.
 * Setting a field sets its whole mask unless another is given; fields never set match anything.
 * Bits of a value outside its mask are cleared, because some devices refuse them. All numbers are
 * in host order. For one thread at a time until it is given to a flow, which copies it.
 */
public abstract sealed class FilterSpec implements FlowSpec
        permits EthSpec,
                Ipv4Spec,
                Ipv4ExtSpec,
                Ipv6Spec,
                EspSpec,
                TcpUdpSpec,
                TunnelSpec,
                GreSpec,
                MplsSpec {

    /** Where C keeps things: the size of the struct, and where value and mask begin. */
    record Layout(long size, long value, long mask, long filterSize) {}

    private final int type;
    private final Layout layout;
    private final byte[] value;
    private final byte[] mask;
    private boolean inner;

    FilterSpec(int type, Layout layout) {
        this.type = type;
        this.layout = layout;
        this.value = new byte[(int) layout.filterSize];
        this.mask = new byte[(int) layout.filterSize];
    }

    /**
     * Means the packet inside a tunnel.
     *
     * @return this
     */
    public abstract FilterSpec inner();

    /**
     * Tells whether the packet inside a tunnel is meant.
     *
     * @return true for the inner packet
     */
    public boolean isInner() {
        return inner;
    }

    void markInner() {
        inner = true;
    }

    int type() {
        return inner ? type | verbs_h.IBV_FLOW_SPEC_INNER() : type;
    }

    /** Sets a number of 1 to 4 bytes, which C keeps in network order. */
    void number(String name, long offset, int bytes, long number, long numberMask) {
        long max = (1L << 8 * bytes) - 1;
        Check.range(name, number, 0, max);
        Check.range("mask of " + name, numberMask, 0, max);
        for (int i = 0; i < bytes; i++) {
            int shift = 8 * (bytes - 1 - i);
            value[(int) offset + i] = (byte) ((number & numberMask) >> shift);
            mask[(int) offset + i] = (byte) (numberMask >> shift);
        }
    }

    /** Sets bytes that C keeps as they are on the wire. */
    void bytes(String name, long offset, int length, byte[] bytes, byte[] bytesMask) {
        if (bytes.length != length || bytesMask.length != length) {
            throw new IllegalArgumentException(
                    String.format(
                            "%s of %d bytes with a mask of %d, both must have %d",
                            name, bytes.length, bytesMask.length, length));
        }
        for (int i = 0; i < length; i++) {
            value[(int) offset + i] = (byte) (bytes[i] & bytesMask[i]);
            mask[(int) offset + i] = bytesMask[i];
        }
    }

    static byte[] ones(int length) {
        byte[] ones = new byte[length];
        java.util.Arrays.fill(ones, (byte) 0xff);
        return ones;
    }

    /** The C struct. */
    MemorySegment encode(Arena arena) {
        MemorySegment spec = arena.allocate(layout.size, 8);
        MemorySegment header = spec.asSlice(0, ibv_flow_spec.hdr.sizeof());
        ibv_flow_spec.hdr.type(header, type());
        ibv_flow_spec.hdr.size(header, (short) layout.size);
        MemorySegment.copy(MemorySegment.ofArray(value), 0, spec, layout.value, value.length);
        MemorySegment.copy(MemorySegment.ofArray(mask), 0, spec, layout.mask, mask.length);
        return spec;
    }

    /** The values alone, as an encapsulation has them. */
    MemorySegment encodeValue(Arena arena) {
        MemorySegment filter = arena.allocate(value.length, 8);
        MemorySegment.copy(MemorySegment.ofArray(value), 0, filter, 0, value.length);
        return filter;
    }
}
