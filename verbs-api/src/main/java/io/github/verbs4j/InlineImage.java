package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.types.SendFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A copy of a request whose data is inline, with the data. A provider copies inline data with the
 * processor, from addresses that it trusts: a buffer freed by another thread, or a length that
 * changes meanwhile, would crash the process. So the data is copied here first, where Java checks
 * bounds and liveness, and the provider sees memory that nobody else writes.
 */
final class InlineImage {

    private static final long SGE = ibv_send_wr.sizeof() + 16;
    private static final long DATA = SGE + ibv_sge.sizeof();

    private MemorySegment memory = Arena.ofAuto().allocate(DATA, 64);
    private MemorySegment badWr = badWrOf(memory);

    private static MemorySegment badWrOf(MemorySegment memory) {
        return memory.asSlice(ibv_send_wr.sizeof(), ADDRESS.byteSize());
    }

    /**
     * Builds the copy.
     *
     * @param wr the request
     * @param limit how many bytes the queue pair takes inline
     * @return the native request to post, its next pointer NULL
     */
    MemorySegment build(SendWr wr, int limit) {
        if (memory.byteSize() < DATA + limit) {
            memory = Arena.ofAuto().allocate(DATA + limit, 64);
            badWr = badWrOf(memory);
        }
        long length = copyData(wr, limit);
        MemorySegment.copy(wr.self(), 0, memory, 0, ibv_send_wr.sizeof());
        memory.set(JAVA_LONG, SGE, memory.address() + DATA);
        memory.set(JAVA_INT, SGE + ibv_sge.length$offset(), (int) length);
        memory.set(JAVA_INT, SGE + ibv_sge.lkey$offset(), 0);
        memory.set(JAVA_LONG, ibv_send_wr.sg_list$offset(), memory.address() + SGE);
        memory.set(JAVA_INT, ibv_send_wr.num_sge$offset(), length == 0 ? 0 : 1);
        memory.set(JAVA_INT, ibv_send_wr.send_flags$offset(), wr.flags());
        link(0);
        return memory;
    }

    private long copyData(SendWr wr, int limit) {
        long total = 0;
        for (int i = 0; i < wr.numSge(); i++) {
            long length = wr.sgeLength(i);
            if (length == 0) {
                continue;
            }
            MemorySegment source = wr.sgeSource(i);
            if (source == null) {
                throw new IllegalArgumentException(
                        SendFlags.toString(SendFlags.INLINE)
                                + " needs elements set from memory of this process, element "
                                + i
                                + " was set by address or from a region that is none");
            }
            if (total + length > limit) {
                throw new IllegalArgumentException(
                        "more inline data than the queue pair's max_inline_data of "
                                + limit
                                + " bytes");
            }
            MemorySegment.copy(source, wr.sgeOffset(i), memory, DATA + total, length);
            total += length;
        }
        return total;
    }

    /** Where the copy lies. */
    long address() {
        return memory.address();
    }

    /** Links the copy to another native request, or ends the chain with 0. */
    void link(long next) {
        memory.set(JAVA_LONG, ibv_send_wr.next$offset(), next);
    }

    /** Where the provider writes which request failed. */
    MemorySegment badWr() {
        return badWr;
    }
}
