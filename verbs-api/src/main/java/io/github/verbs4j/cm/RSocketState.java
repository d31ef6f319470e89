package io.github.verbs4j.cm;

import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** What an rsocket is, how far it has come, and its options: a part of {@link RSocket}. */
abstract sealed class RSocketState permits RSocketStream {

    private static final int EPIPE = 32;

    final RSocketFd fd;

    /** librdmacm follows a null pointer when an unconnected socket is read or written. */
    volatile boolean connected;

    /** librdmacm takes what is written after that, which the peer never gets. */
    volatile boolean writingEnded;

    volatile boolean readingEnded;

    RSocketState(RSocketFd fd) {
        this.fd = fd;
    }

    final void requireConnected(boolean wanted) {
        if (connected != wanted) {
            throw new IllegalStateException(
                    wanted ? "the socket is not connected" : "the socket is connected already");
        }
    }

    final void requireWriting(String verb) {
        requireConnected(true);
        if (writingEnded) {
            throw new VerbsException(verb, EPIPE, "writing was shut down");
        }
    }

    static MemorySegment offHeap(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("the memory is on the heap; use a ByteBuffer");
        }
        return memory;
    }

    /** The native library writes there, whatever Java thinks of the segment. */
    static MemorySegment writable(MemorySegment memory) {
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("the memory is read-only");
        }
        return offHeap(memory);
    }

    /**
     * Sets an option.
     *
     * @param option which
     * @param value its value; 0 or 1 for off or on
     * @throws IllegalArgumentException when the option has no such value
     * @throws VerbsException EINVAL: too late, the socket is connected; ENOTSUP: not known
     * @verbs.calls rsetsockopt
     */
    public void setOption(RSocketOption option, int value) {
        fd.setOption(option, value);
    }

    /**
     * Reads an option.
     *
     * @param option which
     * @return its value
     * @throws VerbsException ENOTSUP: not known
     * @verbs.calls rgetsockopt
     */
    public int getOption(RSocketOption option) {
        return fd.option(option.level(), option.optname());
    }

    /**
     * The local address.
     *
     * @return the address with its port, or null before there is one
     * @verbs.calls rgetsockname
     */
    public InetSocketAddress getLocalAddress() {
        return fd.name("rgetsockname", io.github.verbs4j.ffi.RSocket::rgetsockname);
    }

    /**
     * The peer's address.
     *
     * @return the address with its port, or null before there is one
     * @verbs.calls rgetpeername
     */
    public InetSocketAddress getPeerAddress() {
        return fd.name("rgetpeername", io.github.verbs4j.ffi.RSocket::rgetpeername);
    }

    /**
     * Tells whether the socket has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return fd.handle().isOpen();
    }
}
