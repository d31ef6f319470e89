package io.github.verbs4j.examples.device;

import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.PortState;
import io.github.verbs4j.types.TransportType;
import java.io.PrintStream;
import java.util.Set;
import java.util.function.ToLongFunction;

/** The words that {@code ibv_devinfo} has for values. */
final class Names {

    private Names() {}

    static String of(TransportType type) {
        return switch (type) {
            case IB -> "InfiniBand";
            case IWARP -> "iWARP";
            case USNIC -> "usNIC";
            case USNIC_UDP -> "usNIC UDP";
            case UNSPECIFIED -> "unspecified";
            case UNKNOWN -> "invalid transport";
        };
    }

    static String of(AtomicCap cap) {
        return cap == AtomicCap.UNRECOGNIZED ? "invalid atomic capability" : "ATOMIC_" + cap;
    }

    static String of(PortState state) {
        return switch (state) {
            case DOWN, INIT, ARMED, ACTIVE -> "PORT_" + state;
            default -> "invalid state";
        };
    }

    static String of(Mtu mtu) {
        return mtu == Mtu.UNRECOGNIZED ? "invalid MTU" : String.valueOf(mtu.bytes());
    }

    static String of(LinkLayer layer) {
        return switch (layer) {
            case UNSPECIFIED -> "Unspecified";
            case INFINIBAND -> "InfiniBand";
            case ETHERNET -> "Ethernet";
            case UNRECOGNIZED -> "Unknown";
        };
    }

    static String physState(int state) {
        return switch (state) {
            case 1 -> "SLEEP";
            case 2 -> "POLLING";
            case 3 -> "DISABLED";
            case 4 -> "PORT_CONFIGURATION TRAINNING"; // sic
            case 5 -> "LINK_UP";
            case 6 -> "LINK_ERROR_RECOVERY";
            case 7 -> "PHY TEST";
            default -> "invalid physical state";
        };
    }

    static String width(int width) {
        return switch (width) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    static String speed(int speed) {
        return switch (speed) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
    }

    static String virtualLanes(int number) {
        return switch (number) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }

    /** One capability of a list. */
    static void printItem(PrintStream out, String name) {
        out.printf("\t\t\t\t\t%s%n", name);
    }

    /** The capabilities that a mask holds, then the bits that have no name. */
    static <F> void printFlags(PrintStream out, long bits, Set<F> flags, ToLongFunction<F> value) {
        flags.forEach(flag -> printItem(out, flag.toString()));
        printUnknown(out, bits, flags, value);
    }

    /** The bits of a mask that no flag has. */
    static <F> void printUnknown(
            PrintStream out, long bits, Set<F> flags, ToLongFunction<F> value) {
        long unknown = bits;
        for (F flag : flags) {
            unknown &= ~value.applyAsLong(flag);
        }
        printUnknown(out, unknown);
    }

    static void printUnknown(PrintStream out, long bits) {
        if (bits != 0) {
            printItem(out, "Unknown flags: 0x%X".formatted(bits));
        }
    }
}
