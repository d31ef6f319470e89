package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.RSocketIo;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
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
public final class RSocket implements AutoCloseable {

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

    private static final int EPIPE = 32;
    private static final int EINPROGRESS = 115;
    private static final int MSG_PEEK = 2;
    private static final int IOV_MAX = 1024;
    private static final int PROT_NONE = 0;
    private static final int PROT_WRITE = 2;

    private final RSocketFd fd;

    /** librdmacm follows a null pointer when an unconnected socket is read or written. */
    private volatile boolean connected;

    /** librdmacm takes what is written after that, which the peer never gets. */
    private volatile boolean writingEnded;

    private volatile boolean readingEnded;

    private RSocket(RSocketFd fd) {
        this.fd = fd;
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

    private void requireConnected(boolean wanted) {
        if (connected != wanted) {
            throw new IllegalStateException(
                    wanted ? "the socket is not connected" : "the socket is connected already");
        }
    }

    private static MemorySegment offHeap(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("the memory is on the heap; use a ByteBuffer");
        }
        return memory;
    }

    /** The native library writes there, whatever Java thinks of the segment. */
    private static MemorySegment writable(MemorySegment memory) {
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException("the memory is read-only");
        }
        return offHeap(memory);
    }

    /**
     * Reads what there is, waiting for the first byte.
     *
     * @param into off-heap memory that is not read-only
     * @param timeout how long at most; zero only looks
     * @return how many bytes, or −1 at the end of the stream
     * @throws TimeoutException when nothing came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the socket is not connected, or closed, also during the
     *     wait
     * @throws VerbsException ECONNRESET: the peer is gone
     * @verbs.calls rread, rpoll
     */
    public long read(MemorySegment into, Duration timeout)
            throws InterruptedException, TimeoutException {
        return receive("rread", into, s -> RSocketIo.rread(s, into, into.byteSize()), timeout);
    }

    private long receive(
            String verb, MemorySegment into, ToLongFunction<Integer> call, Duration timeout)
            throws InterruptedException, TimeoutException {
        requireConnected(true);
        writable(into);
        if (into.byteSize() == 0) {
            return 0;
        }
        long n = fd.await(verb, POLLIN, call, timeout);
        return n == 0 ? -1 : n;
    }

    /**
     * Reads what there is into the room of a buffer, waiting for the first byte.
     *
     * @param into the buffer, on or off the heap; its position moves
     * @param timeout how long at most; zero only looks
     * @return how many bytes, or −1 at the end of the stream
     * @throws TimeoutException when nothing came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException as {@link #read(MemorySegment, Duration)}
     * @throws VerbsException as {@link #read(MemorySegment, Duration)}
     * @verbs.calls rread, rpoll
     */
    public int read(ByteBuffer into, Duration timeout)
            throws InterruptedException, TimeoutException {
        if (into.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        int n;
        if (into.isDirect()) {
            n = (int) read(MemorySegment.ofBuffer(into), timeout);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bounce = arena.allocate(Math.max(1, into.remaining()));
                n = (int) read(bounce.asSlice(0, into.remaining()), timeout);
                if (n > 0) {
                    MemorySegment.ofBuffer(into).copyFrom(bounce.asSlice(0, n));
                }
            }
        }
        into.position(into.position() + Math.max(0, n));
        return n;
    }

    /**
     * Looks at what there is to read and leaves it, waiting for the first byte.
     *
     * @param into off-heap memory that is not read-only
     * @param timeout how long at most; zero only looks
     * @return how many bytes, or −1 at the end of the stream
     * @throws TimeoutException when nothing came in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException as {@link #read(MemorySegment, Duration)}
     * @throws VerbsException as {@link #read(MemorySegment, Duration)}
     * @verbs.calls rrecv, rpoll
     */
    public long peek(MemorySegment into, Duration timeout)
            throws InterruptedException, TimeoutException {
        return receive(
                "rrecv", into, s -> RSocketIo.rrecv(s, into, into.byteSize(), MSG_PEEK), timeout);
    }

    /**
     * Writes as much as there is room for, waiting for the first byte's.
     *
     * @param from off-heap memory
     * @param timeout how long at most
     * @return how many bytes, 1 or more unless there are none
     * @throws TimeoutException when there was no room in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException when the socket is not connected, or closed, also during the
     *     wait
     * @throws VerbsException ECONNRESET: the peer is gone; EPIPE: writing was shut down
     * @verbs.calls rwrite, rpoll
     */
    public long write(MemorySegment from, Duration timeout)
            throws InterruptedException, TimeoutException {
        requireWriting("rwrite");
        offHeap(from);
        return from.byteSize() == 0
                ? 0
                : fd.await(
                        "rwrite",
                        POLLOUT,
                        s -> RSocketIo.rwrite(s, from, from.byteSize()),
                        timeout);
    }

    /**
     * Writes as much of several pieces, one after the other, as there is room for, waiting for the
     * first byte's.
     *
     * @param from off-heap memory, 1024 pieces at most
     * @param timeout how long at most
     * @return how many bytes of all, 1 or more unless there are none
     * @throws TimeoutException when there was no room in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException as {@link #write(MemorySegment, Duration)}
     * @throws VerbsException as {@link #write(MemorySegment, Duration)}
     * @verbs.calls rwritev, rpoll
     */
    public long writev(List<MemorySegment> from, Duration timeout)
            throws InterruptedException, TimeoutException {
        requireWriting("rwritev");
        Check.range("pieces", from.size(), 0, IOV_MAX);
        from.forEach(RSocket::offHeap);
        List<MemorySegment> filled = from.stream().filter(each -> each.byteSize() > 0).toList();
        if (filled.isEmpty()) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment iov = arena.allocate(ADDRESS, 2L * filled.size());
            for (int i = 0; i < filled.size(); i++) {
                iov.setAtIndex(ADDRESS, 2L * i, filled.get(i));
                iov.setAtIndex(JAVA_LONG, 2L * i + 1, filled.get(i).byteSize());
            }
            long n =
                    fd.await(
                            "rwritev",
                            POLLOUT,
                            s -> RSocketIo.rwritev(s, iov, filled.size()),
                            timeout);
            filled.forEach(Reference::reachabilityFence);
            return n;
        }
    }

    private void requireWriting(String verb) {
        requireConnected(true);
        if (writingEnded) {
            throw new VerbsException(verb, EPIPE, "writing was shut down");
        }
    }

    /**
     * Writes as much of a buffer as there is room for, waiting for the first byte's.
     *
     * @param from the buffer, on or off the heap; its position moves
     * @param timeout how long at most
     * @return how many bytes
     * @throws TimeoutException when there was no room in time
     * @throws InterruptedException when the thread is interrupted
     * @throws IllegalStateException as {@link #write(MemorySegment, Duration)}
     * @throws VerbsException as {@link #write(MemorySegment, Duration)}
     * @verbs.calls rwrite, rpoll
     */
    public int write(ByteBuffer from, Duration timeout)
            throws InterruptedException, TimeoutException {
        MemorySegment bytes = MemorySegment.ofBuffer(from);
        int n;
        if (from.isDirect()) {
            n = (int) write(bytes, timeout);
        } else {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bounce = arena.allocate(Math.max(1, from.remaining()));
                bounce.copyFrom(bytes);
                n = (int) write(bounce.asSlice(0, from.remaining()), timeout);
            }
        }
        from.position(from.position() + n);
        return n;
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

    // ---- direct access

    /**
     * Maps memory for the peer to write to by {@link #riowrite}. The peer learns of it with the
     * next thing that this side writes. It must have set {@link RSocketOption#RDMA_IOMAPSIZE}
     * before it connected.
     *
     * @param memory off-heap memory, kept reachable until it is unmapped; do not free it earlier
     * @param offset what the peer calls its first byte, 0 or more; −1 for its address
     * @return the offset, to be told to the peer
     * @throws IllegalStateException when the socket is not connected
     * @throws IllegalArgumentException when the memory is empty, on the heap or read-only, or the
     *     offset negative or too large
     * @throws VerbsException ENOMEM: the peer takes no more mappings
     * @verbs.calls riomap
     */
    public long riomap(MemorySegment memory, long offset) {
        requireConnected(true);
        writable(memory);
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException("the memory is empty");
        }
        Check.range("offset", offset, -1, Long.MAX_VALUE - memory.byteSize());
        long result =
                fd.handle()
                        .within(
                                s ->
                                        fd.map(
                                                (int) s.address(),
                                                memory,
                                                PROT_WRITE | PROT_NONE,
                                                offset));
        if (result == -1) {
            throw Check.failure(
                    "riomap",
                    io.github.verbs4j.ffi.Errno.last(),
                    errno ->
                            errno == Errno.ENOMEM
                                    ? "the peer has room for no more mappings (RDMA_IOMAPSIZE)"
                                    : CmErrno.meaning(errno) + ": " + memory);
        }
        return result;
    }

    /**
     * Undoes {@link #riomap}.
     *
     * @param memory the memory, as it was mapped
     * @throws VerbsException EINVAL: it is not mapped
     * @verbs.calls riounmap
     */
    public void riounmap(MemorySegment memory) {
        requireConnected(true);
        fd.call("riounmap", s -> fd.unmap(s, memory), CmErrno.about("not mapped: " + memory));
    }

    /**
     * Writes into memory that the peer mapped. Mappings become known when this side reads or polls.
     * The bytes must end within the mapping: librdmacm may never return from a write that begins in
     * one and reaches beyond it, and this side does not know its length.
     *
     * @param from off-heap memory
     * @param offset where to, as the peer calls it
     * @param timeout how long at most
     * @return how many bytes; 0 when no mapping of the peer's holds the offset, or it is not known
     *     yet
     * @throws IllegalStateException when the socket is not connected, or closed, also during the
     *     wait
     * @throws IllegalArgumentException when the memory is on the heap, or the offset negative
     * @throws TimeoutException when there was no room in time
     * @throws InterruptedException when the thread is interrupted
     * @throws VerbsException ECONNRESET: the peer is gone; EPIPE: writing was shut down
     * @verbs.calls riowrite, rpoll
     */
    public long riowrite(MemorySegment from, long offset, Duration timeout)
            throws InterruptedException, TimeoutException {
        requireWriting("riowrite");
        offHeap(from);
        Check.range("offset", offset, 0, Long.MAX_VALUE - from.byteSize());
        return fd.await(
                "riowrite",
                POLLOUT,
                s -> RSocketIo.riowrite(s, from, from.byteSize(), offset, 0),
                timeout);
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
     * Disconnects and closes the socket, when what was written has been received.
     *
     * @verbs.calls rclose
     */
    @Override
    public void close() {
        fd.handle().close();
    }

    @Override
    public String toString() {
        return "RSocket[" + fd.handle() + "]";
    }
}
