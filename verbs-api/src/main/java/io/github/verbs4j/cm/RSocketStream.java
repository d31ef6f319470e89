package io.github.verbs4j.cm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.RSocketIo;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;

/** Reading and writing an rsocket: a part of {@link RSocket}. */
abstract sealed class RSocketStream extends RSocketState permits RSocketMappings {

    private static final int MSG_PEEK = 2;
    private static final int IOV_MAX = 1024;

    RSocketStream(RSocketFd fd) {
        super(fd);
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
        long n = fd.await(verb, RSocketFd.POLLIN, call, timeout);
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
                        RSocketFd.POLLOUT,
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
        from.forEach(RSocketState::offHeap);
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
                            RSocketFd.POLLOUT,
                            s -> RSocketIo.rwritev(s, iov, filled.size()),
                            timeout);
            filled.forEach(Reference::reachabilityFence);
            return n;
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
}
