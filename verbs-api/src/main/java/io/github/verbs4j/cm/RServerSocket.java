package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.RSocket;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Accepts the connections of {@link io.github.verbs4j.cm.RSocket}s: {@code rlisten} and {@code
 * raccept}. Safe for any thread; closing it ends the waits.
 */
public final class RServerSocket implements AutoCloseable {

    private static final int BACKLOG = 128;

    private final RSocketFd fd;

    private RServerSocket(RSocketFd fd) {
        this.fd = fd;
        LeakDetector.watch(this, fd.handle());
    }

    /**
     * Listens.
     *
     * @param local the address; the wildcard listens on all devices, port 0 lets the system choose
     * @return the socket; close it
     * @throws VerbsException EADDRINUSE: the port is taken; EADDRNOTAVAIL, ENODEV: no RDMA device
     *     has the address
     * @verbs.calls rsocket, rbind, rlisten, rfcntl
     */
    public static RServerSocket bind(InetSocketAddress local) {
        return bind(local, 0);
    }

    /**
     * Listens, and lets those who connect be written to by {@link
     * io.github.verbs4j.cm.RSocket#riowrite}.
     *
     * @param local the address
     * @param iomapSize how many mappings of a peer's an accepted socket can write to, as {@link
     *     RSocketOption#RDMA_IOMAPSIZE}; 0 for none
     * @return the socket; close it
     * @throws IllegalArgumentException when the host name was not resolved, or the size is not one
     *     of those
     * @throws VerbsException as {@link #bind(InetSocketAddress)}
     * @verbs.calls rsocket, rsetsockopt, rbind, rlisten, rfcntl
     */
    public static RServerSocket bind(InetSocketAddress local, int iomapSize) {
        RSocketOption.RDMA_IOMAPSIZE.check(iomapSize);
        RSocketFd fd = RSocketFd.create(RSocketFd.isIpv6(local));
        try {
            if (iomapSize > 0) {
                fd.setOption(RSocketOption.RDMA_IOMAPSIZE, iomapSize);
            }
            fd.bind(local);
            fd.call("rlisten", s -> RSocket.rlisten(s, BACKLOG), CmErrno.about(local));
            return new RServerSocket(fd);
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }

    /**
     * Waits for a connection.
     *
     * @param timeout how long at most
     * @return the socket; close it
     * @throws TimeoutException when nobody connected in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the socket is closed, also during the wait
     * @throws VerbsException when the peer has given up
     * @verbs.calls raccept, rpoll
     */
    public io.github.verbs4j.cm.RSocket accept(Duration timeout)
            throws InterruptedException, TimeoutException {
        return io.github.verbs4j.cm.RSocket.accepted(fd.accept(timeout), timeout);
    }

    /**
     * Sets an option, which the sockets accepted from then on start with.
     *
     * @param option which
     * @param value its value; 0 or 1 for off or on
     * @throws VerbsException ENOTSUP: not known
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
     * Where it listens.
     *
     * @return the address with its port
     * @verbs.calls rgetsockname
     */
    public InetSocketAddress getLocalAddress() {
        return fd.name("rgetsockname", RSocket::rgetsockname);
    }

    /**
     * Tells whether the socket has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return fd.handle().isOpen();
    }

    /**
     * Closes the socket.
     *
     * @verbs.calls rclose
     */
    @Override
    public void close() {
        fd.close();
    }

    @Override
    public String toString() {
        return "RServerSocket[" + fd.handle() + "]";
    }
}
