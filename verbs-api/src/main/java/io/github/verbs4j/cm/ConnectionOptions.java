package io.github.verbs4j.cm;

import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.internal.Check;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How {@link RdmaListener} and {@link RdmaConnection} make connections. Fluent and mutable; set it
 * up before it is shared.
 */
public final class ConnectionOptions {

    private int maxSendWr = 16;
    private int maxRecvWr = 16;
    private int maxSendSge = 1;
    private int maxRecvSge = 1;
    private int maxInlineData;
    private int receives;
    private int receiveSize;
    private boolean compChannel;
    private ConnParam connParam = new ConnParam();
    private ProtectionDomain pd;
    private Duration timeout = EventChannel.DEFAULT_TIMEOUT;
    private InetSocketAddress localAddress;
    private PortSpace portSpace = PortSpace.TCP;
    private Consumer<CmId> prepareId = id -> {};
    private Consumer<RdmaConnection> prepare = connection -> {};

    /** Makes options with the defaults. */
    public ConnectionOptions() {}

    /**
     * The depth of the send queue and of its completion queue; by default 16.
     *
     * @param n outstanding requests at most
     * @return this
     */
    public ConnectionOptions maxSendWr(int n) {
        maxSendWr = (int) Check.range("max_send_wr", n, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * The depth of the receive queue and of its completion queue; by default 16, and at least the
     * {@link #receives}.
     *
     * @param n outstanding requests at most
     * @return this
     */
    public ConnectionOptions maxRecvWr(int n) {
        maxRecvWr = (int) Check.range("max_recv_wr", n, receives, Integer.MAX_VALUE);
        return this;
    }

    /**
     * The elements of a request; by default 1 each.
     *
     * @param send of a send's gather list, at most
     * @param recv of a receive's scatter list, at most
     * @return this
     */
    public ConnectionOptions maxSge(int send, int recv) {
        maxSendSge = (int) Check.range("max_send_sge", send, 0, Integer.MAX_VALUE);
        maxRecvSge = (int) Check.range("max_recv_sge", recv, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * How much data a send can carry itself; by default none.
     *
     * @param bytes at most
     * @return this
     */
    public ConnectionOptions maxInlineData(int bytes) {
        maxInlineData = (int) Check.range("max_inline_data", bytes, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Posts receives before the connection is made, into a region of the connection's own. Their
     * completions carry the numbers 0 to {@code count} − 1 ({@link RdmaConnection#received}).
     *
     * @param count how many
     * @param size bytes of each
     * @return this
     */
    public ConnectionOptions receives(int count, int size) {
        receives = (int) Check.range("count", count, 0, 1 << 20);
        receiveSize = (int) Check.range("size", size, 1, Integer.MAX_VALUE);
        maxRecvWr = Math.max(maxRecvWr, count);
        return this;
    }

    /**
     * Runs when the queue pair is made and before the peer knows of it: the place to post receives
     * of one's own.
     *
     * @param action what to do; when it throws, the connection is given up
     * @return this
     */
    public ConnectionOptions prepare(Consumer<RdmaConnection> action) {
        prepare = Objects.requireNonNull(action, "action");
        return this;
    }

    /**
     * The local address to connect from, which picks the device where several reach the peer; by
     * default the system chooses. Of no meaning to a listener, which has its own.
     *
     * @param local the address, with port 0 for any port; or null
     * @return this
     */
    public ConnectionOptions localAddress(InetSocketAddress local) {
        localAddress = local;
        return this;
    }

    /**
     * Where the ports are counted; by default TCP. Both sides need the same.
     *
     * @param ps TCP or IB
     * @return this
     * @throws IllegalArgumentException when it is a port space of datagrams
     */
    public ConnectionOptions portSpace(PortSpace ps) {
        if (ps.isDatagram()) {
            throw new IllegalArgumentException("port space " + ps + " has no connections");
        }
        portSpace = ps;
        return this;
    }

    /**
     * The type of service of the connection's packets, see {@link CmId#setTos}; by default the
     * system's. The request carries it, and on RoCE the side that accepts answers in kind.
     *
     * @param tos 0 to 255
     * @return this
     */
    public ConnectionOptions tos(int tos) {
        Check.range("tos", tos, 0, 255);
        return prepareId(id -> id.setTos(tos));
    }

    /**
     * Runs for each id before it is used, the place for the options of {@link CmId}: for the id
     * that connects before its address is resolved, for that of a listener before it is bound (both
     * in state IDLE), and for that of an accepted connection before its queue pair is made (in
     * state REQUESTED). Several run in the order in which they were given.
     *
     * @param action what to do; when it throws, the connection or listener is given up
     * @return this
     */
    public ConnectionOptions prepareId(Consumer<CmId> action) {
        prepareId = prepareId.andThen(Objects.requireNonNull(action, "action"));
        return this;
    }

    /**
     * Gives both completion queues a channel, so that threads can sleep until something completes.
     *
     * @return this
     */
    public ConnectionOptions compChannel() {
        compChannel = true;
        return this;
    }

    /**
     * The domain of the queue pair. By default the device's {@link CmDevices#defaultPd}, in which
     * all connections share their regions.
     *
     * @param domain a domain of one of {@link CmDevices#list}
     * @return this
     */
    public ConnectionOptions pd(ProtectionDomain domain) {
        pd = domain;
        return this;
    }

    /**
     * What to agree on with the peer.
     *
     * @param param the parameters, copied
     * @return this
     */
    public ConnectionOptions connParam(ConnParam param) {
        connParam = Objects.requireNonNull(param, "param").copy();
        return this;
    }

    /**
     * Sends bytes to the peer, see {@link ConnParam#privateData(byte...)}.
     *
     * @param bytes the bytes, copied
     * @return this
     */
    public ConnectionOptions privateData(byte... bytes) {
        connParam.privateData(bytes);
        return this;
    }

    /**
     * How long making a connection may take, from first to last; by default 10 seconds.
     *
     * @param limit 1 ms or more
     * @return this
     */
    public ConnectionOptions timeout(Duration limit) {
        CmId.millis(limit);
        timeout = limit;
        return this;
    }

    int maxSendWr() {
        return maxSendWr;
    }

    int maxRecvWr() {
        return maxRecvWr;
    }

    int maxSendSge() {
        return maxSendSge;
    }

    int maxRecvSge() {
        return maxRecvSge;
    }

    int maxInlineData() {
        return maxInlineData;
    }

    int receives() {
        return receives;
    }

    int receiveSize() {
        return receiveSize;
    }

    boolean hasCompChannel() {
        return compChannel;
    }

    ProtectionDomain pd() {
        return pd;
    }

    ConnParam connParam() {
        return connParam;
    }

    Duration timeout() {
        return timeout;
    }

    PortSpace portSpace() {
        return portSpace;
    }

    InetSocketAddress localAddress() {
        return localAddress;
    }

    void prepareId(CmId id) {
        prepareId.accept(id);
    }

    void prepare(RdmaConnection connection) {
        prepare.accept(connection);
    }
}
