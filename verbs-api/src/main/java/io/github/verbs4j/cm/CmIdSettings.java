package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ADDR_RESOLVED;
import static io.github.verbs4j.cm.CmState.BOUND;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ffi.RdmaCmOptions;
import io.github.verbs4j.ffi.ibv_ece;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Objects;
import java.util.function.Function;

/** Options and multicast groups of an id: a part of {@link CmId}. */
abstract sealed class CmIdSettings extends CmIdState permits CmIdAddresses {

    CmIdSettings(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        super(channel, ps, state, handle);
    }

    /**
     * Sets the type of service (DSCP and ECN bits) of the connection's packets.
     *
     * @param tos 0 to 255
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_set_option
     */
    public void setTos(int tos) {
        Check.range("tos", tos, 0, 255);
        setOption(verbs_h.RDMA_OPTION_ID_TOS(), arena -> arena.allocateFrom(JAVA_BYTE, (byte) tos));
    }

    /**
     * Allows to bind a port that another id has, which allows it too. A bound id can still allow it
     * to others, until it listens.
     *
     * @param on whether
     * @throws VerbsException EINVAL: the id listens, or is bound and cannot withdraw it
     * @verbs.calls rdma_set_option
     */
    public void setReuseAddr(boolean on) {
        setOption(
                verbs_h.RDMA_OPTION_ID_REUSEADDR(),
                arena -> arena.allocateFrom(JAVA_INT, on ? 1 : 0));
    }

    /**
     * Keeps a listener on the IPv6 wildcard from taking IPv4 requests.
     *
     * @param on whether
     * @throws VerbsException EINVAL: the id listens, or has resolved an address
     * @verbs.calls rdma_set_option
     */
    public void setAfOnly(boolean on) {
        setOption(
                verbs_h.RDMA_OPTION_ID_AFONLY(), arena -> arena.allocateFrom(JAVA_INT, on ? 1 : 0));
    }

    /**
     * Sets how long the queue pair waits for an acknowledgement before it sends again.
     *
     * @param timeout the time
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_set_option
     */
    public void setAckTimeout(AckTimeout timeout) {
        Objects.requireNonNull(timeout, "timeout");
        setOption(
                verbs_h.RDMA_OPTION_ID_ACK_TIMEOUT(),
                arena -> arena.allocateFrom(JAVA_BYTE, (byte) timeout.value()));
    }

    private void setOption(int name, Function<Arena, MemorySegment> value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = value.apply(arena);
            core.call(
                    "rdma_set_option",
                    id ->
                            RdmaCmOptions.rdma_set_option(
                                    id, verbs_h.RDMA_OPTION_ID(), name, bytes, bytes.byteSize()),
                    IdCore::noDetail,
                    null);
        }
    }

    /**
     * Sets the options to offer the peer, for a queue pair that the program makes itself.
     *
     * @param ece the options; the vendor must not be 0
     * @throws VerbsException EINVAL: the id has a queue pair, or there is no vendor
     * @verbs.calls rdma_set_local_ece
     */
    public void setLocalEce(Ece ece) {
        Objects.requireNonNull(ece, "ece");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            ibv_ece.vendor_id(struct, ece.vendorId());
            ibv_ece.options(struct, ece.options());
            ibv_ece.comp_mask(struct, ece.compMask());
            core.call(
                    "rdma_set_local_ece",
                    id -> RdmaCmOptions.rdma_set_local_ece(id, struct),
                    errno -> ece + "; the id must have no queue pair",
                    null);
        }
    }

    /**
     * The options that the peer offered with its request or answer, for a queue pair that the
     * program makes itself.
     *
     * @return the options
     * @throws VerbsException EINVAL: the id has a queue pair
     * @verbs.calls rdma_get_remote_ece
     */
    public Ece getRemoteEce() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = ibv_ece.allocate(arena);
            core.call(
                    "rdma_get_remote_ece",
                    id -> RdmaCmOptions.rdma_get_remote_ece(id, struct),
                    errno -> "the id must have no queue pair",
                    null);
            return new Ece(
                    ibv_ece.vendor_id(struct), ibv_ece.options(struct), ibv_ece.comp_mask(struct));
        }
    }

    /**
     * Starts to join a multicast group, for sending and receiving, and attaches the queue pair to
     * it. MULTICAST_JOIN or MULTICAST_ERROR answers; the former tells how to reach the group.
     *
     * @param group its address
     * @throws IllegalStateException when the id is no datagram id, has no device, is connected, or
     *     joined the group already
     * @throws IllegalArgumentException when the address is no multicast group
     * @throws VerbsException when the kernel refuses
     * @verbs.calls rdma_join_multicast
     */
    public void joinMulticast(InetAddress group) {
        join(group, null);
    }

    /**
     * Starts to join a multicast group.
     *
     * @param group its address
     * @param flag whether to receive from it, too
     * @throws IllegalStateException as {@link #joinMulticast(InetAddress)}
     * @throws IllegalArgumentException as {@link #joinMulticast(InetAddress)}
     * @throws VerbsException EINVAL: the kernel or fabric cannot do it that way
     * @verbs.calls rdma_join_multicast_ex
     */
    public void joinMulticast(InetAddress group, JoinFlag flag) {
        join(group, Objects.requireNonNull(flag, "flag"));
    }

    private void join(InetAddress group, JoinFlag flag) {
        Objects.requireNonNull(group, "group");
        if (!ps().isDatagram()) {
            throw new IllegalStateException(
                    "port space " + ps() + " has no multicast groups; take UDP or IPOIB");
        }
        pin();
        core.inState(
                "rdma_join_multicast",
                id -> {
                    core.requireDevice("rdma_join_multicast");
                    core.groups().join(handle(), group, flag);
                    return null;
                },
                BOUND,
                ADDR_RESOLVED);
    }

    /**
     * Leaves a multicast group.
     *
     * @param group its address
     * @throws VerbsException EADDRNOTAVAIL: it was not joined
     * @verbs.calls rdma_leave_multicast
     */
    public void leaveMulticast(InetAddress group) {
        core.inState(
                "rdma_leave_multicast",
                id -> {
                    core.groups().leave(handle(), group);
                    return null;
                });
    }
}
