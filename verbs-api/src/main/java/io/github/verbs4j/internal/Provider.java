package io.github.verbs4j.internal;

import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.TransportType;

/** The providers whose faults this library works around. */
public enum Provider {
    /** Soft-RoCE. */
    RXE,
    /** Soft-iWARP. */
    SIW,
    /** Any other: nothing to work around. */
    OTHER;

    private static final int RXE_VENDOR = 0xffffff;
    private static final int SIW_VENDOR = 0x626d74;

    /**
     * Recognizes a provider. The device's name says nothing: an administrator chooses it.
     *
     * @param transport the device's transport
     * @param attr the device's attributes
     * @return the provider
     */
    public static Provider of(TransportType transport, DeviceAttr attr) {
        return switch (attr.vendorId()) {
            case RXE_VENDOR -> transport == TransportType.IB ? RXE : OTHER;
            case SIW_VENDOR -> SIW;
            default -> OTHER;
        };
    }
}
