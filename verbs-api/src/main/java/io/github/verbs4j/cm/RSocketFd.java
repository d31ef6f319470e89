package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.RSocket;
import io.github.verbs4j.ffi.RSocketIo;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.internal.Timeouts;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ToLongFunction;

/**
 * The descriptor of an rsocket. It never blocks: calls are tried, and between two tries the thread
 * pauses, so that interrupting it or closing the socket ends the wait.
 *
 * <p>{@code rpoll} is only asked what there is now. Asked to wait, that of rdma-core 44 loses count
 * of its waiters whenever a timeout passes, and from then on whoever waits next never returns.
 */
final class RSocketFd {

    static final int POLLIN = 1;
    static final int POLLOUT = 4;
    static final int POLLERR = 8;
    static final int POLLHUP = 16;

    private static final int SOCK_STREAM = 1;
    private static final int LONGEST_PAUSE_NANOS = 1_000_000;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;

    /** Its address is the descriptor. */
    private final NativeHandle handle;

    /** What the peer may write to, kept reachable while it may. */
    private final List<MemorySegment> mapped = new CopyOnWriteArrayList<>();

    private RSocketFd(int fd) {
        handle =
                NativeHandle.create(
                        "rsocket",
                        () -> MemorySegment.ofAddress(fd),
                        pointer -> {
                            unmapAll((int) pointer.address());
                            int result = RSocket.rclose((int) pointer.address());
                            RSocketService.leave();
                            Check.notMinusOne("rclose", result);
                        });
        try {
            Check.notMinusOne("rfcntl", RSocket.rfcntl(fd, F_SETFL, O_NONBLOCK));
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
        // The number is that of the event channel's descriptor. rfcntl leaves that of an accepted
        // socket as it is, and librdmacm's thread would wait there for ever for an event that
        // another thread has taken.
        Posix.setNonBlocking(fd);
    }

    /** rclose would look for what is still mapped, find nothing, and look again for ever. */
    private void unmapAll(int s) {
        if (!mapped.isEmpty()) {
            RSocket.rshutdown(s, io.github.verbs4j.cm.RSocket.How.SHUT_RDWR.ordinal());
            mapped.forEach(each -> RSocketIo.riounmap(s, each, each.byteSize()));
            mapped.clear();
        }
    }

    /** Maps memory, from inside the socket. */
    long map(int s, MemorySegment memory, int access, long offset) {
        long result = RSocketIo.riomap(s, memory, memory.byteSize(), access, 0, offset);
        if (result != -1) {
            mapped.add(memory);
        }
        return result;
    }

    /** Undoes {@link #map}, once: memory may be mapped several times. */
    int unmap(int s, MemorySegment memory) {
        int result = RSocketIo.riounmap(s, memory, memory.byteSize());
        if (result == 0) {
            mapped.stream()
                    .filter(each -> isSame(each, memory))
                    .findFirst()
                    .ifPresent(mapped::remove);
        }
        return result;
    }

    private static boolean isSame(MemorySegment a, MemorySegment b) {
        return a.address() == b.address() && a.byteSize() == b.byteSize();
    }

    static RSocketFd create(boolean ipv6) {
        RSocketService.enter("rsocket");
        int domain = ipv6 ? SockAddrCodec.AF_INET6 : SockAddrCodec.AF_INET;
        int fd = RSocket.rsocket(domain, SOCK_STREAM, 0);
        if (fd == -1) {
            VerbsException failure = failure("rsocket", EventChannel::explain);
            RSocketService.leave();
            throw failure;
        }
        return new RSocketFd(fd);
    }

    /** Takes over the socket that a listening one accepts. */
    RSocketFd accept(Duration timeout) throws InterruptedException, TimeoutException {
        RSocketService.enter("raccept");
        int fd;
        try {
            fd =
                    (int)
                            await(
                                    "raccept",
                                    POLLIN,
                                    s -> RSocket.raccept(s, MemorySegment.NULL, MemorySegment.NULL),
                                    timeout);
        } catch (Throwable e) {
            RSocketService.leave();
            throw e;
        }
        return new RSocketFd(fd);
    }

    static boolean isIpv6(InetSocketAddress address) {
        return Objects.requireNonNull(address, "address").getAddress() instanceof Inet6Address;
    }

    void close() {
        handle.close();
    }

    NativeHandle handle() {
        return handle;
    }

    static VerbsException failure(String verb, IntFunction<String> detail) {
        return Check.failure(verb, io.github.verbs4j.ffi.Errno.last(), detail);
    }

    /** Makes a call that returns -1 on failure. */
    int call(String verb, IntUnaryOperator call, IntFunction<String> detail) {
        int result = handle.call(pointer -> call.applyAsInt((int) pointer.address()));
        if (result == -1) {
            throw failure(verb, detail);
        }
        return result;
    }

    /** Tries a call until it does not ask to come back; its result, which is not negative. */
    long await(String verb, int events, ToLongFunction<Integer> call, Duration timeout)
            throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        MemorySegment pollfd = Arena.ofAuto().allocate(8, 4);
        for (int round = 0; ; round++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long result = handle.within(fd -> call.applyAsLong((int) fd.address()));
            if (result >= 0) {
                return result;
            }
            int errno = io.github.verbs4j.ffi.Errno.last();
            if (errno != Errno.EAGAIN && errno != Errno.EINTR) {
                throw new VerbsException(verb, errno, CmErrno.meaning(errno) + ", on " + handle);
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutException(verb + ": nothing within " + timeout);
            }
            if (pollNow(pollfd, events) == 0 || round > 1000) {
                pause(round);
            }
        }
    }

    /** Waits for events; those that there are, 0 when there were none in time. */
    int poll(int events, Duration timeout) throws InterruptedException {
        return poll(List.of(this), events, timeout)[0];
    }

    /** Waits for events on any of several; those of each, 0 when there were none in time. */
    static int[] poll(List<RSocketFd> sockets, int events, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + Timeouts.nanos(timeout);
        MemorySegment pollfd = Arena.ofAuto().allocate(8, 4);
        int[] found = new int[sockets.size()];
        for (int round = 0; ; round++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long left = deadline - System.nanoTime();
            boolean any = false;
            for (int i = 0; i < sockets.size(); i++) {
                found[i] = sockets.get(i).pollNow(pollfd, events);
                any |= found[i] != 0;
            }
            if (any || left <= 0) {
                return found;
            }
            pause(round);
        }
    }

    private int pollNow(MemorySegment pollfd, int events) {
        int found =
                handle.call(
                        fd -> {
                            pollfd.set(JAVA_INT, 0, (int) fd.address());
                            pollfd.set(JAVA_SHORT, 4, (short) events);
                            pollfd.set(JAVA_SHORT, 6, (short) 0);
                            return RSocket.rpoll(pollfd, 1, 0);
                        });
        return found > 0 ? pollfd.get(JAVA_SHORT, 6) : 0;
    }

    /** Gives way at first, then sleeps longer and longer, up to a millisecond. */
    private static void pause(int round) {
        if (round < 50) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(Math.min((round - 49) * 20_000, LONGEST_PAUSE_NANOS));
        }
    }

    /** Waits until a connection that was begun is made. */
    void awaitConnected(String verb, InetSocketAddress peer, Duration timeout)
            throws InterruptedException, TimeoutException {
        String which = peer == null ? "the accepted socket" : peer.toString();
        int found = poll(POLLOUT, timeout);
        if (found == 0) {
            throw new TimeoutException(verb + ": " + which + " not connected within " + timeout);
        }
        int reported = option(SOL_SOCKET, SO_ERROR);
        if (reported != 0 || (found & (POLLERR | POLLHUP)) != 0) {
            // A connection that came and went has no error of its own.
            int errno = reported == 0 ? Errno.ECONNRESET : reported;
            throw new VerbsException(verb, errno, CmErrno.meaning(errno) + ": " + which);
        }
    }

    int option(int level, int name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 4);
            call(
                    "rgetsockopt",
                    fd -> RSocket.rgetsockopt(fd, level, name, value, length),
                    CmErrno.about("option " + name));
            return value.get(JAVA_INT, 0);
        }
    }

    void setOption(RSocketOption option, int value) {
        option.check(value);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_INT, value);
            call(
                    "rsetsockopt",
                    fd -> RSocket.rsetsockopt(fd, option.level(), option.optname(), bytes, 4),
                    CmErrno.about(option + " = " + value));
        }
    }

    void bind(InetSocketAddress local) {
        Objects.requireNonNull(local, "local");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = SockAddrCodec.write(local, arena);
            call(
                    "rbind",
                    fd -> RSocket.rbind(fd, address, (int) address.byteSize()),
                    errno ->
                            errno == Errno.EADDRNOTAVAIL || errno == Errno.ENODEV
                                    ? CmDevices.explain(local.getAddress())
                                    : CmErrno.meaning(errno) + ": " + local);
        }
    }

    /** Which of the two addresses. */
    @FunctionalInterface
    interface Name {
        int get(int fd, MemorySegment address, MemorySegment length);
    }

    InetSocketAddress name(String verb, Name name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(128, 8);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 128);
            call(verb, fd -> name.get(fd, address, length), CmErrno.about(handle));
            return SockAddrCodec.read(address);
        }
    }
}
