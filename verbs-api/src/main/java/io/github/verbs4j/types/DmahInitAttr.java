package io.github.verbs4j.types;

import java.util.Objects;

/**
 * The hints of a DMA handle: C's {@code struct ibv_dmah_init_attr}. What is not set is left to the
 * device. Copied by the call.
 */
public final class DmahInitAttr {

    private Integer cpuId;
    private Integer ph;
    private TphMemType tphMemType;

    /** Nothing set. */
    public DmahInitAttr() {}

    /**
     * The processor that works on the data, so that the device has them put into its cache.
     *
     * @param value the number of a CPU of this machine, 0 or more
     * @return this
     * @throws IllegalArgumentException when it is negative
     */
    public DmahInitAttr cpuId(int value) {
        cpuId = Text.range("cpu_id", value, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * The processing hint of the PCI Express transactions.
     *
     * @param value 0 to 3: bidirectional, requester, target, target with priority
     * @return this
     * @throws IllegalArgumentException when it is out of this range
     */
    public DmahInitAttr ph(int value) {
        ph = Text.range("ph", value, 0, 3);
        return this;
    }

    /**
     * The kind of the memory.
     *
     * @param value volatile or persistent
     * @return this
     */
    public DmahInitAttr tphMemType(TphMemType value) {
        tphMemType = Objects.requireNonNull(value, "tphMemType");
        return this;
    }

    /** {@return the CPU, or null when not set} */
    public Integer cpuId() {
        return cpuId;
    }

    /** {@return the processing hint, or null when not set} */
    public Integer ph() {
        return ph;
    }

    /** {@return the kind of the memory, or null when not set} */
    public TphMemType tphMemType() {
        return tphMemType;
    }

    @Override
    public String toString() {
        return "DmahInitAttr[cpuId=" + cpuId + ", ph=" + ph + ", tphMemType=" + tphMemType + "]";
    }
}
