package io.github.verbs4j.cm;

import static io.github.verbs4j.cm.CmState.ACCEPTED;
import static io.github.verbs4j.cm.CmState.CONNECTED;
import static io.github.verbs4j.cm.CmState.CONNECTING;
import static io.github.verbs4j.cm.CmState.DISCONNECTED;
import static io.github.verbs4j.cm.CmState.FAILED;
import static io.github.verbs4j.cm.CmState.REJECTED;
import static io.github.verbs4j.cm.CmState.REQUESTED;
import static io.github.verbs4j.cm.CmState.RESPONDED;
import static io.github.verbs4j.cm.CmState.ROUTE_RESOLVED;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.github.verbs4j.ffi.RdmaCm;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Connecting and parting: a part of {@link CmId}. */
abstract sealed class CmIdConnecting extends CmIdQueues permits CmId {

    CmIdConnecting(EventChannel channel, PortSpace ps, CmState state, NativeHandle handle) {
        super(channel, ps, state, handle);
    }

    /**
     * Asks the peer for a connection. ESTABLISHED answers (CONNECT_RESPONSE when the id has no
     * queue pair), or REJECTED, UNREACHABLE or CONNECT_ERROR. A peer that does not answer is
     * noticed only after minutes: wait with a timeout, and close the id to give up.
     *
     * @param param what to ask for, with up to 56 bytes of private data (180 of a datagram id)
     * @throws IllegalStateException when the id is not in state ROUTE_RESOLVED
     * @throws IllegalArgumentException when there is too much private data, or neither a queue pair
     *     nor the number of one
     * @throws VerbsException EINVAL: more READs at a time than the device allows; ECONNREFUSED:
     *     nobody listens (iWARP says so here)
     * @verbs.calls rdma_connect
     */
    public void connect(ConnParam param) {
        Objects.requireNonNull(param, "param");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = param.toNative(arena);
            core.call(
                    "rdma_connect",
                    id -> {
                        core.checkParam(param, PrivateData.REQUEST);
                        int result = RdmaCm.rdma_connect(id, struct);
                        if (result != 0 && IdCore.lastErrno() != Errno.EINVAL) {
                            core.state(FAILED);
                        }
                        return result;
                    },
                    errno ->
                            errno == Errno.ECONNREFUSED
                                    ? "nobody listens on " + getPeerAddr()
                                    : CmErrno.meaning(errno) + ": " + param,
                    CONNECTING,
                    ROUTE_RESOLVED);
        }
    }

    /**
     * Accepts the connection that the peer of a CONNECT_REQUEST asks for. ESTABLISHED answers when
     * the peer has heard of it; of a datagram id nothing does. Post receives before.
     *
     * @param param what to offer, with up to 196 bytes of private data (136 of a datagram id)
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there is too much private data, or neither a queue pair
     *     nor the number of one
     * @throws VerbsException EINVAL: more READs at a time than the device allows; EINVAL,
     *     ECONNRESET: the peer has given up
     * @verbs.calls rdma_accept
     */
    public void accept(ConnParam param) {
        Objects.requireNonNull(param, "param");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = param.toNative(arena);
            pin();
            core.call(
                    "rdma_accept",
                    id -> {
                        requirePeer("rdma_accept");
                        core.checkParam(param, PrivateData.ACCEPT);
                        int result = RdmaCm.rdma_accept(id, struct);
                        int errno = IdCore.lastErrno();
                        core.moved(result == 0 ? QpState.RTS : QpState.ERR);
                        if (result != 0) {
                            core.state(FAILED);
                            io.github.verbs4j.ffi.Errno.set(errno);
                        }
                        return result;
                    },
                    CmErrno.about(param),
                    ps().isDatagram() ? CONNECTED : ACCEPTED,
                    REQUESTED,
                    FAILED);
        }
    }

    /** A peer that gave up meanwhile is no fault of the program's. */
    private void requirePeer(String verb) {
        if (state() == FAILED) {
            throw new VerbsException(verb, Errno.ECONNRESET, "the peer has given up");
        }
    }

    /**
     * Rejects the connection that the peer of a CONNECT_REQUEST asks for.
     *
     * @param privateData bytes for the peer, 148 at most (136 of a datagram id)
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there are too many bytes
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_reject
     */
    public void reject(byte... privateData) {
        reject("rdma_reject", RdmaCm::rdma_reject, privateData);
    }

    /**
     * Rejects the connection because the peer's vendor options do not fit.
     *
     * @param privateData bytes for the peer, 148 at most
     * @throws IllegalStateException when the id is not in state REQUESTED
     * @throws IllegalArgumentException when there are too many bytes
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_reject_ece
     */
    public void rejectEce(byte... privateData) {
        reject("rdma_reject_ece", RdmaCm::rdma_reject_ece, privateData);
    }

    @FunctionalInterface
    private interface Rejection {
        int call(MemorySegment id, MemorySegment privateData, byte length);
    }

    private void reject(String verb, Rejection rejection, byte[] privateData) {
        Objects.requireNonNull(privateData, "privateData");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, privateData);
            core.call(
                    verb,
                    id -> {
                        requirePeer(verb);
                        PrivateData.REJECT.check(
                                privateData.length, ps(), context().device().transportType());
                        return rejection.call(id, bytes, (byte) privateData.length);
                    },
                    errno -> errno == Errno.EINVAL ? "the peer has given up" : "",
                    REJECTED,
                    REQUESTED,
                    FAILED);
        }
    }

    /**
     * Completes the connection of an id without a queue pair, after CONNECT_RESPONSE and after the
     * program moved its own queue pair to RTS. The accepting side gets ESTABLISHED.
     *
     * @throws IllegalStateException when the id is not in state RESPONDED
     * @throws VerbsException EINVAL, ECONNRESET: the peer has given up
     * @verbs.calls rdma_establish
     */
    public void establish() {
        core.call("rdma_establish", RdmaCm::rdma_establish, IdCore::noDetail, CONNECTED, RESPONDED);
    }

    /**
     * Tells the connection manager that the peer's first message has come in before ESTABLISHED did
     * (the asynchronous event COMM_EST), so that the connection counts as made.
     *
     * @throws IllegalStateException when the id has not accepted
     * @throws VerbsException EISCONN: it is connected already
     * @verbs.calls rdma_notify
     */
    public void notifyCommEst() {
        core.call(
                "rdma_notify",
                id -> RdmaCm.rdma_notify(id, verbs_h.IBV_EVENT_COMM_EST()),
                IdCore::noDetail,
                null,
                ACCEPTED,
                CONNECTED);
    }

    /**
     * Ends the connection: the queue pair moves to ERR and what is posted on it is flushed. Both
     * sides get DISCONNECTED, this one when the peer, too, has disconnected. May be called twice.
     *
     * @throws IllegalStateException when the id was never connected
     * @throws VerbsException when the connection manager refuses
     * @verbs.calls rdma_disconnect
     */
    public void disconnect() {
        if (ps().isDatagram()) {
            throw new IllegalStateException("a datagram id is not connected; close it");
        }
        core.call(
                "rdma_disconnect",
                id -> {
                    if (state() == FAILED) {
                        return 0; // the peer was faster: there is nothing left to end
                    }
                    int result = RdmaCm.rdma_disconnect(id);
                    int errno = IdCore.lastErrno();
                    if (result == 0) {
                        core.state(DISCONNECTED);
                    }
                    core.moved(QpState.ERR);
                    io.github.verbs4j.ffi.Errno.set(errno);
                    return result;
                },
                IdCore::noDetail,
                null,
                ACCEPTED,
                RESPONDED,
                CONNECTED,
                DISCONNECTED,
                FAILED);
    }
}
