package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.RSocketIo;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Memory of an rsocket that the peer writes into: a part of {@link RSocket}. */
abstract sealed class RSocketMappings extends RSocketStream permits RSocket {

    private static final int PROT_NONE = 0;
    private static final int PROT_WRITE = 2;

    RSocketMappings(RSocketFd fd) {
        super(fd);
    }

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
                RSocketFd.POLLOUT,
                s -> RSocketIo.riowrite(s, from, from.byteSize(), offset, 0),
                timeout);
    }
}
