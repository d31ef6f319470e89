package io.github.verbs4j.types;

/**
 * Attributes of a shared receive queue, to change or as queried ({@code struct ibv_srq_attr}).
 *
 * <p>Fluent and mutable, for one thread; the call that takes it copies it. Only what was set
 * counts: {@link #mask()} follows from the setters that were called.
 */
public final class SrqAttr {
    private static final int MAX_WR = 1;
    private static final int LIMIT = 1 << 1;

    private int mask;
    private int maxWr;
    private int maxSge;
    private int srqLimit;

    /** Makes attributes of which none is set. */
    public SrqAttr() {}

    /**
     * Makes attributes as a query returns them.
     *
     * @param maxWr outstanding receives at most
     * @param maxSge scatter elements in each at most
     * @param srqLimit the limit, 0 when it is not armed
     * @return new attributes
     */
    public static SrqAttr queried(int maxWr, int maxSge, int srqLimit) {
        SrqAttr attr = new SrqAttr().maxWr(maxWr).srqLimit(srqLimit);
        attr.maxSge = maxSge;
        return attr;
    }

    /**
     * Sets how many receives may be outstanding ({@code max_wr}).
     *
     * @param maxWr 1 or more
     * @return this
     */
    public SrqAttr maxWr(int maxWr) {
        this.maxWr = Text.range("ibv_srq_attr.max_wr", maxWr, 1, Integer.MAX_VALUE);
        mask |= MAX_WR;
        return this;
    }

    /** {@return how many receives may be outstanding} */
    public int maxWr() {
        return maxWr;
    }

    /** {@return how many scatter elements a receive may have; fixed when the queue is created} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Arms the limit ({@code srq_limit}): one event SRQ_LIMIT_REACHED comes when fewer receives are
     * left, and the limit is then 0 until it is armed again.
     *
     * @param srqLimit how many; 0 disarms it
     * @return this
     */
    public SrqAttr srqLimit(int srqLimit) {
        this.srqLimit = Text.range("ibv_srq_attr.srq_limit", srqLimit, 0, Integer.MAX_VALUE);
        mask |= LIMIT;
        return this;
    }

    /** {@return the limit; 0 when it is not armed} */
    public int srqLimit() {
        return srqLimit;
    }

    /** {@return which of them are set, as bits of {@code enum ibv_srq_attr_mask}} */
    public int mask() {
        return mask;
    }

    /** {@return the members by their C names} */
    @Override
    public String toString() {
        return "{max_wr=%d, max_sge=%d, srq_limit=%d}".formatted(maxWr, maxSge, srqLimit);
    }
}
