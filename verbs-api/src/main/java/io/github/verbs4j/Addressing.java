package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_ah_attr;
import io.github.verbs4j.internal.AhAttrCodec;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.EthL2;
import io.github.verbs4j.types.Grh;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/** The verbs that make addresses. */
final class Addressing {

    /** What libibverbs says for «no VLAN». */
    private static final int NO_VLAN = 0xffff;

    private Addressing() {}

    static AddressHandle create(ProtectionDomain pd, AhAttr attr) {
        pd.context().checkPort(attr.portNum());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ah_attr.allocate(arena);
            AhAttrCodec.write(attr, struct);
            return new AddressHandle(
                    pd,
                    pointer ->
                            Check.notNull(
                                    "ibv_create_ah",
                                    QueuePairVerbs.ibv_create_ah(pointer, struct),
                                    errno -> explain(errno) + attr));
        }
    }

    private static String explain(int errno) {
        return switch (errno) {
            case Errno.ENODATA -> "the GID index is empty: ";
            case Errno.ETIMEDOUT, Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                    "the destination's GID does not answer on the network of the local GID (wrong"
                            + " GID index, no route, or no ARP answer): ";
            case Errno.EINVAL ->
                    "RoCE needs a GRH with GIDs of one family, or the device has no more address"
                            + " handles: ";
            default -> "";
        };
    }

    static AddressHandle createFromWc(
            ProtectionDomain pd, WcArray wc, int index, MemorySegment grh, int port) {
        pd.context().checkPort(port);
        MemorySegment completion = completion(wc, index);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = copy(arena, grh);
            return new AddressHandle(
                    pd,
                    pointer ->
                            Check.notNull(
                                    "ibv_create_ah_from_wc",
                                    QueuePairVerbs.ibv_create_ah_from_wc(
                                            pointer, completion, header, (byte) port),
                                    errno -> "no way back to the sender"));
        }
    }

    static AhAttr initFromWc(Context context, int port, WcArray wc, int index, MemorySegment grh) {
        context.checkPort(port);
        MemorySegment completion = completion(wc, index);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = copy(arena, grh);
            MemorySegment attr = ibv_ah_attr.allocate(arena);
            int result =
                    context.nativeHandle()
                            .call(
                                    p ->
                                            QueuePairVerbs.ibv_init_ah_from_wc(
                                                    p, (byte) port, completion, header, attr));
            if (result != 0) {
                // libibverbs looks the GID up in its table and says only whether it found it.
                throw Check.failure(
                        "ibv_init_ah_from_wc",
                        Errno.ENOENT,
                        errno -> "the datagram's destination is no GID of port " + port);
            }
            return AhAttrCodec.read(attr);
        }
    }

    static EthL2 resolve(Context context, AhAttr attr) {
        context.checkPort(attr.portNum());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ah_attr.allocate(arena);
            AhAttrCodec.write(attr, struct);
            MemorySegment mac = arena.allocate(EthL2.MAC_BYTES);
            MemorySegment vlan = arena.allocate(JAVA_SHORT);
            Check.zero(
                    "ibv_resolve_eth_l2_from_gid",
                    context.nativeHandle()
                            .call(
                                    p ->
                                            QueuePairVerbs.ibv_resolve_eth_l2_from_gid(
                                                    p, struct, mac, vlan)),
                    errno -> "is the destination reachable by IP? " + attr);
            int vid = Short.toUnsignedInt(vlan.get(JAVA_SHORT, 0));
            return new EthL2(
                    mac.toArray(JAVA_BYTE),
                    vid == NO_VLAN ? OptionalInt.empty() : OptionalInt.of(vid));
        }
    }

    private static MemorySegment completion(WcArray wc, int index) {
        wc.opcode(index); // throws for a failed request: it carries no address
        return wc.element(index);
    }

    /** The device may overwrite the buffer, and its owner may free it. */
    private static MemorySegment copy(Arena arena, MemorySegment grh) {
        if (grh.byteSize() < Grh.BYTES) {
            throw new IllegalArgumentException(
                    "a GRH has " + Grh.BYTES + " bytes, got " + grh.byteSize());
        }
        MemorySegment header = arena.allocate(Grh.BYTES, 8);
        MemorySegment.copy(grh, 0, header, 0, Grh.BYTES);
        return header;
    }
}
