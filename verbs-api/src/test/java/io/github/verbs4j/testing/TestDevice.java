package io.github.verbs4j.testing;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import java.util.Optional;

/** Chooses the devices that tests run on: {@code -Dverbs4j.device=NAME} names one. */
public final class TestDevice {

    /** What a test needs. */
    public enum Kind {
        /** Any RoCE or InfiniBand device. */
        ROCE,
        /** Soft-RoCE, because the test asserts its exact behaviour. */
        RXE,
        /** Soft-iWARP. */
        SIW
    }

    private static final int RXE_VENDOR = 0xffffff;
    private static final int SIW_VENDOR = 0x626d74;

    private TestDevice() {}

    /** {@return a device of the kind, if there is one} */
    public static Optional<Device> find(Kind kind) {
        List<Device> devices;
        try {
            devices = Device.list();
        } catch (VerbsException e) {
            return Optional.empty();
        }
        String wanted = System.getProperty("verbs4j.device");
        return devices.stream()
                .filter(device -> wanted == null || device.name().equals(wanted))
                .filter(device -> fits(device, kind))
                .findFirst();
    }

    /** {@return a device of the kind} */
    public static Device get(Kind kind) {
        return find(kind).orElseThrow(() -> new AssertionError("no " + kind + " device"));
    }

    private static boolean fits(Device device, Kind kind) {
        if (kind == Kind.ROCE) {
            return device.transportType() == TransportType.IB;
        }
        try (Context context = device.open()) {
            return context.queryDevice().vendorId() == (kind == Kind.RXE ? RXE_VENDOR : SIW_VENDOR);
        }
    }

    /** {@return whether exact values of Soft-RoCE may be asserted} */
    public static boolean isRxe(Context context) {
        return context.queryDevice().vendorId() == RXE_VENDOR;
    }
}
