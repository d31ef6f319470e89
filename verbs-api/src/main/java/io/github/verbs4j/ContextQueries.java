package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.NewerStructs;
import io.github.verbs4j.ffi.PortVerbs;
import io.github.verbs4j.ffi.ibv_device_attr;
import io.github.verbs4j.ffi.ibv_device_attr_ex;
import io.github.verbs4j.ffi.ibv_port_attr;
import io.github.verbs4j.ffi.ibv_values_ex;
import io.github.verbs4j.ffi.timespec;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DeviceAttrCodec;
import io.github.verbs4j.internal.DeviceAttrExCodec;
import io.github.verbs4j.internal.GidTable;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.PortAttrCodec;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.CompCntrCaps;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.EthL2;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.RtValues;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/** What a context asks its device. */
abstract sealed class ContextQueries permits ContextObjects {

    abstract NativeHandle nativeHandle();

    /**
     * The device that was opened.
     *
     * @return the device
     */
    public abstract Device device();

    /** The attributes as they were when the device was opened: its limits do not change. */
    abstract DeviceAttr attributes();

    /** The only class that is one. */
    final Context context() {
        return (Context) this;
    }

    final void checkPort(int port) {
        // The kernel truncates the number to 8 bits: 257 would be port 1.
        Check.range("port", port, 1, attributes().physPortCnt());
    }

    /**
     * Asks the device for its attributes and limits.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_device
     */
    public DeviceAttr queryDevice() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr.allocate(arena);
            Check.zero(
                    "ibv_query_device",
                    nativeHandle().call(context -> DeviceVerbs.ibv_query_device(context, attr)));
            return DeviceAttrCodec.read(attr);
        }
    }

    /**
     * Asks the device for its attributes and for what else it can do: on-demand paging, timestamps,
     * offloads, device memory.
     *
     * @return the attributes
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_device_ex
     */
    public DeviceAttrEx queryDeviceEx() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_device_attr_ex.allocate(arena);
            Check.zero(
                    "ibv_query_device_ex",
                    nativeHandle()
                            .call(
                                    context ->
                                            DeviceVerbs.ibv_query_device_ex(
                                                    context, MemorySegment.NULL, attr)));
            return DeviceAttrExCodec.read(attr);
        }
    }

    /**
     * Asks for the state of a port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the port's attributes
     * @throws IllegalArgumentException when there is no such port
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_port
     */
    public PortAttr queryPort(int port) {
        checkPort(port);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_port_attr.allocate(arena);
            Check.zero(
                    "ibv_query_port",
                    nativeHandle()
                            .call(context -> PortVerbs.ibv_query_port(context, (byte) port, attr)),
                    errno -> "port " + port);
            return PortAttrCodec.read(attr);
        }
    }

    /**
     * Reads the GID tables of all ports.
     *
     * @return the entries in use, with their types and net devices
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public List<GidEntry> gidTable() {
        int slots = 0;
        for (int port = 1; port <= attributes().physPortCnt(); port++) {
            slots += queryPort(port).gidTblLen();
        }
        int capacity = slots;
        return nativeHandle().within(context -> GidTable.read(context, capacity));
    }

    /**
     * Reads the GID table of one port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the entries in use
     * @throws VerbsException when the device does not answer
     * @verbs.calls ibv_query_gid_table
     */
    public List<GidEntry> gidTable(int port) {
        checkPort(port);
        return gidTable().stream().filter(entry -> entry.port() == port).toList();
    }

    /**
     * Reads one entry of a GID table.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param index its index
     * @return the entry
     * @throws VerbsException ENODATA: the slot is empty; EINVAL: no such index
     * @verbs.calls ibv_query_gid_ex
     */
    public GidEntry queryGid(int port, int index) {
        checkPort(port);
        return nativeHandle().within(context -> GidTable.query(context, port, index));
    }

    /**
     * Picks the GID that peers most likely reach each other by: RoCE v2 on an IPv4 address, else
     * RoCE v2 on a routable IPv6 address, else RoCE v2, else the first. Which index that is differs
     * from machine to machine, so it must not be written down anywhere.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return the entry
     * @throws VerbsException ENODATA: the port has no GID
     * @verbs.calls ibv_query_gid_table
     */
    public GidEntry defaultGid(int port) {
        return GidTable.best(gidTable(port))
                .orElseThrow(
                        () ->
                                new VerbsException(
                                        "ibv_query_gid_table",
                                        Errno.ENODATA,
                                        "port "
                                                + port
                                                + " of "
                                                + device().name()
                                                + " has no GID; has its net device an address?"));
    }

    /**
     * Reads an entry of the partition key table.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param index 0 to {@link PortAttr#pkeyTblLen} − 1
     * @return the key, 16 bits, in host order; the highest bit means full membership
     * @throws VerbsException when there is no such entry
     * @verbs.calls ibv_query_pkey
     */
    public int queryPkey(int port, int index) {
        checkPort(port);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(JAVA_SHORT);
            int result =
                    nativeHandle()
                            .call(
                                    context ->
                                            PortVerbs.ibv_query_pkey(
                                                    context, (byte) port, index, pkey));
            if (result != 0) {
                throw Check.failure(
                        "ibv_query_pkey",
                        io.github.verbs4j.ffi.Errno.last(),
                        e -> noPkey(port, index));
            }
            return Short.toUnsignedInt(NetworkOrder.toHost(pkey.get(JAVA_SHORT, 0)));
        }
    }

    /**
     * Finds a partition key in the table of a port.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @param pkey the key, 16 bits, in host order
     * @return its index, or empty when the table does not have it
     * @verbs.calls ibv_get_pkey_index
     */
    public OptionalInt getPkeyIndex(int port, int pkey) {
        checkPort(port);
        Check.range("pkey", pkey, 0, 0xffff);
        short key = NetworkOrder.toHost((short) pkey);
        int index =
                nativeHandle()
                        .call(context -> PortVerbs.ibv_get_pkey_index(context, (byte) port, key));
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /**
     * Reads the device's clock, the one of completion timestamps.
     *
     * @return its value now
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot tell
     * @verbs.calls ibv_query_rt_values_ex
     */
    public RtValues queryRtValuesEx() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment values = ibv_values_ex.allocate(arena);
            ibv_values_ex.comp_mask(values, verbs_h.IBV_VALUES_MASK_RAW_CLOCK());
            Check.zero(
                    "ibv_query_rt_values_ex",
                    nativeHandle()
                            .call(context -> DeviceVerbs.ibv_query_rt_values_ex(context, values)));
            MemorySegment clock = ibv_values_ex.raw_clock(values);
            return new RtValues(timespec.tv_sec(clock), timespec.tv_nsec(clock));
        }
    }

    /**
     * Asks for the bandwidth that a port has now, of all its lanes and bonded links together.
     *
     * @param port 1 to {@link DeviceAttr#physPortCnt}
     * @return in units of 100 Mbit/s
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot tell, or rdma-core
     *     is older than 62
     * @verbs.calls ibv_query_port_speed
     */
    public long queryPortSpeed(int port) {
        checkPort(port);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment speed = arena.allocate(JAVA_LONG);
            int result =
                    Check.present(
                            () ->
                                    nativeHandle()
                                            .call(
                                                    context ->
                                                            PortVerbs.ibv_query_port_speed(
                                                                    context, port, speed)));
            Check.zero("ibv_query_port_speed", result, errno -> "port " + port);
            return speed.get(JAVA_LONG, 0);
        }
    }

    /**
     * Asks what completion counters can count.
     *
     * @return the limits
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has none, or rdma-core is
     *     older than 65
     * @verbs.calls ibv_query_comp_cntr_caps
     */
    public CompCntrCaps queryCompCntrCaps() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment caps = NewerStructs.comp_cntr_caps(arena);
            Check.zero(
                    "ibv_query_comp_cntr_caps",
                    nativeHandle()
                            .call(
                                    context ->
                                            CompletionVerbs.ibv_query_comp_cntr_caps(
                                                    context, caps)));
            return new CompCntrCaps(
                    NewerStructs.comp_cntr_caps_max_value(caps),
                    Integer.toUnsignedLong(NewerStructs.comp_cntr_caps_max_counters(caps)),
                    CompCntrOp.of(NewerStructs.comp_cntr_caps_supported_qp_attach_ops(caps)));
        }
    }

    /**
     * Finds the address that answers a datagram.
     *
     * @param port the local port it came in by
     * @param wc holds the completion of its receive
     * @param index which of them, 0 to {@link WcArray#count} − 1
     * @param grh the first 40 bytes of the receive buffer; counts when the completion has the flag
     *     GRH
     * @return the address, for {@link ProtectionDomain#createAh}
     * @throws IllegalArgumentException when there is no such port, or too few bytes
     * @throws IllegalStateException when the receive failed
     * @throws VerbsException ENOENT: no GID of the port is the datagram's destination
     * @verbs.calls ibv_init_ah_from_wc
     */
    public AhAttr initAhFromWc(int port, WcArray wc, int index, MemorySegment grh) {
        return Addressing.initFromWc(context(), port, wc, index, grh);
    }

    /**
     * Finds the Ethernet address that packets to a destination are sent to.
     *
     * @param attr the destination
     * @return its MAC and VLAN
     * @throws IllegalArgumentException when there is no such port
     * @throws VerbsException when the destination cannot be reached
     * @verbs.calls ibv_resolve_eth_l2_from_gid
     */
    public EthL2 resolveEthL2FromGid(AhAttr attr) {
        return Addressing.resolve(context(), attr);
    }

    private String noPkey(int port, int index) {
        int length = queryPort(port).pkeyTblLen();
        return "port "
                + port
                + (length == 0
                        ? " has no partition keys: it is not of InfiniBand or RoCE"
                        : " has the indices 0 to " + (length - 1) + ", asked for " + index);
    }
}
