package io.github.verbs4j.types;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/**
 * What two peers tell each other to connect their queue pairs by hand.
 *
 * <p>The text and the binary form are stable and carry a version, so that peers of different
 * releases understand or reject each other. The C tools use forms of their own.
 *
 * @param lid LID of the port, 0 to 65535; 0 on Ethernet
 * @param qpNum queue pair number, 24 bits
 * @param psn packet sequence number of the first packet this side sends, 24 bits
 * @param gid GID of the port; zero if there is none (InfiniBand within a subnet)
 * @param gidType encapsulation that goes with the GID; {@link GidType#UNRECOGNIZED} if not known
 * @param activeMtu active MTU of the port; {@link Mtu#UNRECOGNIZED} if not known
 */
public record QpAddress(int lid, int qpNum, int psn, Gid gid, GidType gidType, Mtu activeMtu) {
    /** Length of the binary form. */
    public static final int BYTES = 28;

    private static final int VERSION = 1;
    private static final String UNKNOWN = "-";
    private static final String WHAT = "queue pair address";

    /** Checks the ranges. */
    public QpAddress {
        Text.range("lid", lid, 0, 0xffff);
        Text.bits24("qp_num", qpNum);
        Text.bits24("psn", psn);
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(gidType, "gidType");
        Objects.requireNonNull(activeMtu, "activeMtu");
    }

    /**
     * Returns the text form: {@code v1:lid:qpn:psn:gid:type:mtu}, numbers in hex, the GID as 32
     * digits, the type {@code ib}, {@code roce_v1} or {@code roce_v2}, the MTU in bytes; {@code -}
     * for an unknown type or MTU.
     *
     * @return one line without white space, for {@link #parse(String)}
     */
    public String toText() {
        return "v%d:%04x:%06x:%06x:%s:%s:%s"
                .formatted(
                        VERSION,
                        lid,
                        qpNum,
                        psn,
                        gid.toHex(),
                        gidType == GidType.UNRECOGNIZED
                                ? UNKNOWN
                                : gidType.name().toLowerCase(Locale.ROOT),
                        activeMtu == Mtu.UNRECOGNIZED ? UNKNOWN : activeMtu.bytes());
    }

    /**
     * Reads the text form.
     *
     * @param text what {@link #toText()} returned
     * @return the address
     * @throws IllegalArgumentException if it is malformed; the message says where
     */
    public static QpAddress parse(String text) {
        String[] fields = text.split(":", -1);
        if (!fields[0].equals("v" + VERSION)) {
            throw new IllegalArgumentException(
                    WHAT + ": expected version v" + VERSION + ", was \"" + fields[0] + "\"");
        }
        if (fields.length != 7) {
            throw new IllegalArgumentException(
                    WHAT + ": expected v1:lid:qpn:psn:gid:type:mtu, was \"" + text + "\"");
        }
        if (fields[4].length() != 32) {
            throw new IllegalArgumentException(
                    WHAT + ": gid must be 32 hex digits, was \"" + fields[4] + "\"");
        }
        return new QpAddress(
                (int) Text.parseHex(WHAT, "lid", fields[1], 4),
                (int) Text.parseHex(WHAT, "qpn", fields[2], 6),
                (int) Text.parseHex(WHAT, "psn", fields[3], 6),
                Gid.parse(fields[4]),
                parseType(fields[5]),
                parseMtu(fields[6]));
    }

    private static GidType parseType(String text) {
        return switch (text) {
            case "ib" -> GidType.IB;
            case "roce_v1" -> GidType.ROCE_V1;
            case "roce_v2" -> GidType.ROCE_V2;
            case UNKNOWN -> GidType.UNRECOGNIZED;
            default ->
                    throw new IllegalArgumentException(
                            WHAT
                                    + ": type must be ib, roce_v1, roce_v2 or -, was \""
                                    + text
                                    + "\"");
        };
    }

    private static Mtu parseMtu(String text) {
        return switch (text) {
            case "256" -> Mtu.MTU_256;
            case "512" -> Mtu.MTU_512;
            case "1024" -> Mtu.MTU_1024;
            case "2048" -> Mtu.MTU_2048;
            case "4096" -> Mtu.MTU_4096;
            case UNKNOWN -> Mtu.UNRECOGNIZED;
            default ->
                    throw new IllegalArgumentException(
                            WHAT + ": mtu must be 256 to 4096 or -, was \"" + text + "\"");
        };
    }

    /**
     * Returns the binary form, big endian: version (1 byte), GID type (1), LID (2), MTU (1), queue
     * pair number (3), zero (1), PSN (3), GID (16). The type is 255 and the MTU 0 if unknown.
     *
     * @return {@value #BYTES} bytes, for {@link #ofBytes(byte[])}
     */
    public byte[] toBytes() {
        int mtu = activeMtu == Mtu.UNRECOGNIZED ? 0 : activeMtu.value();
        return ByteBuffer.allocate(BYTES)
                .put((byte) VERSION)
                .put((byte) gidType.value())
                .putShort((short) lid)
                .putInt(mtu << 24 | qpNum)
                .putInt(psn)
                .put(gid.bytes())
                .array();
    }

    /**
     * Reads the binary form.
     *
     * @param bytes what {@link #toBytes()} returned
     * @return the address
     * @throws IllegalArgumentException if it is malformed; the message says how
     */
    public static QpAddress ofBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(
                    WHAT + ": expected " + BYTES + " bytes, got " + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int version = Byte.toUnsignedInt(in.get());
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    WHAT + ": expected version " + VERSION + ", was " + version);
        }
        int type = Byte.toUnsignedInt(in.get());
        GidType gidType = GidType.of(type);
        if (gidType == GidType.UNRECOGNIZED && type != 255) {
            throw new IllegalArgumentException(WHAT + ": no GID type has the number " + type);
        }
        int lid = Short.toUnsignedInt(in.getShort());
        int mtuAndQpn = in.getInt();
        int mtu = mtuAndQpn >>> 24;
        Mtu activeMtu = Mtu.of(mtu);
        if (activeMtu == Mtu.UNRECOGNIZED && mtu != 0) {
            throw new IllegalArgumentException(WHAT + ": no MTU has the number " + mtu);
        }
        int psn = in.getInt();
        byte[] gid = new byte[Gid.BYTES];
        in.get(gid);
        return new QpAddress(
                lid, mtuAndQpn & Text.MAX_24_BIT, psn, Gid.of(gid), gidType, activeMtu);
    }

    /** The address to put into a queue pair, or why there is no way to this peer. */
    AhAttr route(GidEntry local) {
        boolean infiniband = local.type() == GidType.IB;
        if (local.type() != gidType && isRoce(local.type()) && isRoce(gidType)) {
            throw new IllegalArgumentException(
                    "GID index %d is %s but the peer's GID is %s: both must have the same type"
                            .formatted(local.index(), local.type(), gidType));
        }
        if (infiniband && lid == 0) {
            throw new IllegalArgumentException(
                    "the peer's LID is 0: on InfiniBand a subnet manager must assign one");
        }
        if (gid.isZero()) {
            if (!infiniband) {
                throw new IllegalArgumentException(
                        "the peer's GID is zero: on RoCE it must name a filled GID table entry");
            }
            return new AhAttr().portNum(local.port()).dlid(lid);
        }
        return AhAttr.to(local, gid).dlid(lid);
    }

    private static boolean isRoce(GidType type) {
        return type == GidType.ROCE_V1 || type == GidType.ROCE_V2;
    }

    /** {@return the text form} */
    @Override
    public String toString() {
        return toText();
    }
}
