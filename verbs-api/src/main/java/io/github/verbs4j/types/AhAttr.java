package io.github.verbs4j.types;

/**
 * Address of a port: where packets go and how they leave ({@code struct ibv_ah_attr}).
 *
 * <p>Fluent and mutable, for one thread; the call that takes it copies it. {@code is_global} is
 * derived: it is set when there is a {@link #grh()}.
 */
public final class AhAttr {
    /** Hops that {@link #to} allows; enough for any network, and the usual default of IP. */
    static final int DEFAULT_HOP_LIMIT = 64;

    private GlobalRoute grh;
    private int dlid;
    private int sl;
    private int srcPathBits;
    private int staticRate;
    private int portNum;

    /** Makes an address with everything zero and no global route. */
    public AhAttr() {}

    /**
     * Makes the address of a GID, as seen from an entry of the local GID table: port, source index,
     * hop limit 64. On InfiniBand add the {@link #dlid(int)}.
     *
     * @param local entry that names the port and the source GID
     * @param dgid GID of the destination
     * @return a new address
     */
    public static AhAttr to(GidEntry local, Gid dgid) {
        return new AhAttr()
                .portNum(local.port())
                .grh(new GlobalRoute(dgid, 0, local.index(), DEFAULT_HOP_LIMIT, 0));
    }

    /**
     * Makes the address of a peer's queue pair, as seen from an entry of the local GID table.
     *
     * @param local entry that names the port and the source GID
     * @param remote what the peer said about its queue pair
     * @return a new address
     * @throws IllegalArgumentException if the two cannot reach each other: RoCE v1 against v2, no
     *     GID on RoCE, no LID on InfiniBand
     */
    public static AhAttr to(GidEntry local, QpAddress remote) {
        return remote.route(local);
    }

    /**
     * Sets the global route, and with it {@code is_global}.
     *
     * @param grh the route, or null for none
     * @return this
     */
    public AhAttr grh(GlobalRoute grh) {
        this.grh = grh;
        return this;
    }

    /** {@return the global route, or null if there is none} */
    public GlobalRoute grh() {
        return grh;
    }

    /** {@return whether there is a global route ({@code is_global}); always so on RoCE} */
    public boolean isGlobal() {
        return grh != null;
    }

    /**
     * Sets the LID of the destination (InfiniBand).
     *
     * @param dlid 0 to 65535
     * @return this
     */
    public AhAttr dlid(int dlid) {
        this.dlid = Text.range("ibv_ah_attr.dlid", dlid, 0, 0xffff);
        return this;
    }

    /** {@return the LID of the destination; 0 on Ethernet} */
    public int dlid() {
        return dlid;
    }

    /**
     * Sets the service level.
     *
     * @param sl 0 to 15; on RoCE the low three bits are the Ethernet priority
     * @return this
     */
    public AhAttr sl(int sl) {
        this.sl = Text.range("ibv_ah_attr.sl", sl, 0, 15);
        return this;
    }

    /** {@return the service level} */
    public int sl() {
        return sl;
    }

    /**
     * Sets which of the port's LIDs is the source.
     *
     * @param srcPathBits 0 to 127, added to the port's base LID
     * @return this
     */
    public AhAttr srcPathBits(int srcPathBits) {
        this.srcPathBits = Text.range("ibv_ah_attr.src_path_bits", srcPathBits, 0, 127);
        return this;
    }

    /** {@return which of the port's LIDs is the source} */
    public int srcPathBits() {
        return srcPathBits;
    }

    /**
     * Limits the rate of packets to this destination.
     *
     * @param staticRate a number of {@code enum ibv_rate}, 0 to 255; 0 is the port's own rate
     * @return this
     */
    public AhAttr staticRate(int staticRate) {
        this.staticRate = Text.range("ibv_ah_attr.static_rate", staticRate, 0, 255);
        return this;
    }

    /**
     * Limits the rate of packets to this destination.
     *
     * @param rate the rate; {@link Rate#MAX} is the port's own
     * @return this
     */
    public AhAttr staticRate(Rate rate) {
        return staticRate(rate.value());
    }

    /** {@return the rate limit, a number of {@code enum ibv_rate}} */
    public int staticRate() {
        return staticRate;
    }

    /**
     * Sets the local port that packets leave by.
     *
     * @param portNum 1 to the device's number of ports; 0 means not set
     * @return this
     */
    public AhAttr portNum(int portNum) {
        this.portNum = Text.range("ibv_ah_attr.port_num", portNum, 0, 255);
        return this;
    }

    /** {@return the local port; 0 if not set} */
    public int portNum() {
        return portNum;
    }

    /** {@return an independent copy} */
    public AhAttr copy() {
        AhAttr copy = new AhAttr();
        copy.grh = grh;
        copy.dlid = dlid;
        copy.sl = sl;
        copy.srcPathBits = srcPathBits;
        copy.staticRate = staticRate;
        copy.portNum = portNum;
        return copy;
    }

    /** {@return the members by their C names} */
    @Override
    public String toString() {
        String global =
                grh == null
                        ? "is_global=0"
                        : "dgid=%s, sgid_index=%d, hop_limit=%d, traffic_class=%d, flow_label=%d"
                                .formatted(
                                        grh.dgid(),
                                        grh.sgidIndex(),
                                        grh.hopLimit(),
                                        grh.trafficClass(),
                                        grh.flowLabel());
        return "{port_num=%d, dlid=%d, sl=%d, %s}".formatted(portNum, dlid, sl, global);
    }
}
