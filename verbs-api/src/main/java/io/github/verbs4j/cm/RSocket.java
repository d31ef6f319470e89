package io.github.verbs4j.cm;

import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * A stream of bytes over RDMA that is used like a TCP socket: the rsockets of librdmacm. They copy
 * what is written and read, so they are simpler and slower than queue pairs; with {@link #riomap}
 * the peer writes into this side's memory directly.
 *
 * <p>Safe for any thread; one reader and one writer make sense. Every wait has a timeout, and ends
 * when the thread is interrupted or the socket closed. The descriptor is known to librdmacm only.
 * With librdmacm before 55 a process has 256 sockets at most, accepting ones included; the first
 * takes a moment longer.
 */
public final class RSocket extends RSocketMappings implements AutoCloseable {

    /** {@link #poll}: there is something to read, or the stream has ended. */
    public static final int POLLIN = RSocketFd.POLLIN;

    /** {@link #poll}: there is room to write. */
    public static final int POLLOUT = RSocketFd.POLLOUT;

    /** {@link #poll}: the connection failed. */
    public static final int POLLERR = RSocketFd.POLLERR;

    /** {@link #poll}: the peer is gone. */
    public static final int POLLHUP = RSocketFd.POLLHUP;

    /** What {@link #shutdown} ends. */
    public enum How {
        /** Reading. */
        SHUT_RD,
        /** Writing: the peer reads to the end of the stream. */
        SHUT_WR,
        /** Both. */
        SHUT_RDWR
    }

    private static final int EINPROGRESS = 115;

    private RSocket(RSocketFd fd) {
        super(fd);
        LeakDetector.watch(this, fd.handle());
    }

    /**
     * Creates a socket, to set options on and to connect.
     *
     * @param ipv6 whether for IPv6 addresses
     * @return the socket; close it
     * @throws VerbsException ENODEV: no RDMA device; EMFILE: too many sockets
     * @verbs.calls rsocket, rfcntl
     */
    public static RSocket create(boolean ipv6) {
        return new RSocket(RSocketFd.create(ipv6));
    }

    /**
     * Creates a socket and connects it.
     *
     * @param peer the address of an {@link RServerSocket}
     * @param timeout how long at most
     * @return the socket; close it
     * @throws VerbsException ECONNREFUSED: nobody listens there; ENETUNREACH: no route; ENODEV: no
     *     RDMA device
     * @throws TimeoutException when the peer does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rsocket, rfcntl, rconnect, rpoll
     */
    public static RSocket connectTo(InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        RSocket socket = create(RSocketFd.isIpv6(peer));
        try {
            socket.connect(peer, timeout);
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    static RSocket accepted(RSocketFd fd, Duration timeout)
            throws InterruptedException, TimeoutException {
        RSocket socket = new RSocket(fd);
        try {
            fd.awaitConnected("raccept", null, timeout);
            socket.connected = true;
            return socket;
        } catch (Throwable e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Gives the socket a local address.
     *
     * @param local the address; port 0 lets the system choose
     * @throws VerbsException EADDRINUSE, EADDRNOTAVAIL, ENODEV: as {@link CmId#bindAddr}
     * @verbs.calls rbind
     */
    public void bind(InetSocketAddress local) {
        requireConnected(false);
        fd.bind(local);
    }

    /**
     * Connects.
     *
     * @param peer the address of an {@link RServerSocket}
     * @param timeout how long at most; when it passes, only closing is left
     * @throws IllegalStateException when the socket is connected or closed
     * @throws VerbsException ECONNREFUSED: nobody listens there; ENETUNREACH: no route
     * @throws TimeoutException when the peer does not answer in time
     * @throws InterruptedException when the thread is interrupted
     * @verbs.calls rconnect, rpoll, rgetsockopt
     */
    public synchronized void connect(InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        requireConnected(false);
        Objects.requireNonNull(peer, "peer");
        Objects.requireNonNull(timeout, "timeout");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = SockAddrCodec.write(peer, arena);
            int result =
                    fd.handle()
                            .call(
                                    s ->
                                            io.github.verbs4j.ffi.RSocket.rconnect(
                                                    (int) s.address(),
                                                    address,
                                                    (int) address.byteSize()));
            if (result != 0) {
                int errno = io.github.verbs4j.ffi.Errno.last();
                if (errno != EINPROGRESS) {
                    throw new VerbsException(
                            "rconnect", errno, CmErrno.meaning(errno) + ": " + peer);
                }
                fd.awaitConnected("rconnect", peer, timeout);
            }
            connected = true;
        }
    }

    /**
     * Waits for events.
     *
     * @param events {@link #POLLIN}, {@link #POLLOUT} or both
     * @param timeout how long at most; zero only looks
     * @return those that there are, {@link #POLLERR} and {@link #POLLHUP} among them; 0 for none
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalArgumentException when other events are asked for
     * @throws IllegalStateException when the socket is not connected, or closed, also during the
     *     wait
     * @verbs.calls rpoll
     */
    public int poll(int events, Duration timeout) throws InterruptedException {
        requireConnected(true);
        checkEvents(events);
        return fd.poll(events, timeout);
    }

    private static void checkEvents(int events) {
        if ((events & ~(POLLIN | POLLOUT)) != 0) {
            throw new IllegalArgumentException(
                    "events 0x" + Integer.toHexString(events) + ", must be of POLLIN and POLLOUT");
        }
    }

    /**
     * Waits until there are events on any of several sockets.
     *
     * @param sockets the sockets, connected
     * @param events {@link #POLLIN}, {@link #POLLOUT} or both
     * @param timeout how long at most; zero only looks
     * @return those on which there are some, {@link #POLLERR} and {@link #POLLHUP} among them, in
     *     the order given; empty when there were none in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalArgumentException when other events are asked for
     * @throws IllegalStateException when a socket is not connected, or closed, also during the wait
     * @verbs.calls rpoll
     */
    public static List<RSocket> poll(List<RSocket> sockets, int events, Duration timeout)
            throws InterruptedException {
        checkEvents(events);
        List<RSocket> all = List.copyOf(sockets);
        all.forEach(each -> each.requireConnected(true));
        List<RSocketFd> fds = all.stream().map(each -> each.fd).toList();
        int[] found = RSocketFd.poll(fds, events, timeout);
        return IntStream.range(0, found.length)
                .filter(i -> found[i] != 0)
                .mapToObj(all::get)
                .toList();
    }

    /**
     * Ends reading or writing, when what was written has been received. What was ended stays so.
     *
     * @param how which
     * @throws IllegalStateException when the socket is not connected
     * @throws VerbsException when the peer is gone
     * @verbs.calls rshutdown
     */
    public synchronized void shutdown(How how) {
        requireConnected(true);
        Objects.requireNonNull(how, "how");
        boolean reading = how != How.SHUT_WR && !readingEnded;
        boolean writing = how != How.SHUT_RD && !writingEnded;
        if (!reading && !writing) {
            return;
        }
        How left = reading && writing ? How.SHUT_RDWR : reading ? How.SHUT_RD : How.SHUT_WR;
        writingEnded |= writing;
        readingEnded |= reading;
        fd.call(
                "rshutdown",
                s -> io.github.verbs4j.ffi.RSocket.rshutdown(s, left.ordinal()),
                CmErrno.about(how));
    }

    /**
     * Disconnects and closes the socket, when what was written has been received.
     *
     * @verbs.calls rclose
     */
    @Override
    public void close() {
        fd.close();
    }

    @Override
    public String toString() {
        return "RSocket[" + fd.handle() + "]";
    }
}
