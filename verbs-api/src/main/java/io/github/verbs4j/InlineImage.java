package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.ibv_mw_bind_info;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of a request that the provider trusts: with its inline data, which it copies with the
 * processor, with the pointer to an address handle or to what a window is bound to, which it
 * follows, or with a window's rkey, which brings some kernels down when it is wrong. A buffer freed
 * by another thread, a length or an address that changes meanwhile, would crash the process. So
 * they are put together here first, where Java checks bounds and liveness, and the provider sees
 * memory that nobody else writes.
 */
final class InlineImage {

    private static final long SGE = ibv_send_wr.sizeof() + 16;
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long DATA = SGE + ibv_sge.sizeof();
    private static final long BIND = ibv_send_wr.bind_mw$offset();
    private static final long WR = ibv_send_wr.wr$offset();
    private static final long UD_AH = WR + ibv_send_wr.wr.ud.ah$offset();
    private static final long UD_QPN = WR + ibv_send_wr.wr.ud.remote_qpn$offset();
    private static final long UD_QKEY = WR + ibv_send_wr.wr.ud.remote_qkey$offset();

    private NativeHandle entered;
    private MemorySegment memory = Arena.ofAuto().allocate(DATA, 64);

    /** Kept: a second thread that posts the same chain, against the rules, may be reading there. */
    private final List<MemorySegment> outgrown = new ArrayList<>(1);

    /**
     * Builds the copy.
     *
     * @param wr the request
     * @param limit how many bytes the queue pair takes inline
     * @return the address of the native request to post, its next pointer NULL
     */
    long build(SendWr wr, int limit) {
        makeRoom(limit);
        long length = copyData(wr, limit);
        MemorySegment.copy(wr.self(), 0, memory, 0, ibv_send_wr.sizeof());
        memory.set(JAVA_LONG, SGE, memory.address() + DATA);
        memory.set(JAVA_INT, SGE + ibv_sge.length$offset(), (int) length);
        memory.set(JAVA_INT, SGE + ibv_sge.lkey$offset(), 0);
        memory.set(JAVA_LONG, ibv_send_wr.sg_list$offset(), memory.address() + SGE);
        memory.set(JAVA_INT, ibv_send_wr.num_sge$offset(), length == 0 ? 0 : 1);
        memory.set(JAVA_INT, ibv_send_wr.send_flags$offset(), wr.flags());
        link(0);
        return memory.address();
    }

    /**
     * Builds a copy whose data stays where it is.
     *
     * @param wr the request
     * @return the address of the native request to post, its next pointer NULL
     */
    long copy(SendWr wr) {
        MemorySegment.copy(wr.self(), 0, memory, 0, ibv_send_wr.sizeof());
        link(0);
        return memory.address();
    }

    /**
     * Builds a copy of the request and its elements, whose data stays where it is.
     *
     * @param wr the request
     * @param limit how many elements the queue pair takes
     * @param siw refuses an empty element between others: siw's kernel module follows a null
     *     pointer then
     * @return the address of the native request to post, its next pointer NULL
     */
    long copyAll(SendWr wr, int limit, boolean siw) {
        long size = Math.max(limit, 1) * ibv_sge.sizeof();
        makeRoom(size);
        copy(wr);
        int count = Math.min(memory.get(JAVA_INT, ibv_send_wr.num_sge$offset()), limit);
        memory.set(JAVA_INT, ibv_send_wr.num_sge$offset(), count);
        MemorySegment.copy(wr.memory, wr.sges, memory, DATA, count * ibv_sge.sizeof());
        memory.set(JAVA_LONG, ibv_send_wr.sg_list$offset(), memory.address() + DATA);
        for (int i = 0; siw && i < count - 1; i++) {
            if (memory.get(JAVA_INT, DATA + i * ibv_sge.sizeof() + SGE_LENGTH) == 0) {
                throw new IllegalArgumentException(
                        "Soft-iWARP cannot send an empty element before another; leave element "
                                + i
                                + " out");
            }
        }
        return memory.address();
    }

    /** Fills in where a datagram goes; the address handle stays open until {@link #leave}. */
    void enter(NativeHandle ah, int remoteQpn, int remoteQkey) {
        memory.set(ADDRESS, UD_AH, ah.acquire());
        entered = ah;
        memory.set(JAVA_INT, UD_QPN, remoteQpn);
        memory.set(JAVA_INT, UD_QKEY, remoteQkey);
    }

    /** Makes it a LOCAL_INV or SEND_WITH_INV. */
    void placeInvalidation(WrOpcode opcode, int rkey) {
        memory.set(JAVA_INT, ibv_send_wr.opcode$offset(), opcode.value());
        memory.set(JAVA_INT, ibv_send_wr.imm_data$offset(), rkey);
    }

    /** Makes it a BIND_MW of native objects, which the caller keeps open. */
    void placeBind(MemorySegment mw, int newRkey, MemorySegment mr, MwBind target) {
        memory.set(JAVA_INT, ibv_send_wr.opcode$offset(), WrOpcode.BIND_MW.value());
        // rxe refuses a bind that leaves anything where others have their immediate data.
        memory.set(JAVA_INT, ibv_send_wr.imm_data$offset(), 0);
        memory.set(ADDRESS, BIND + ibv_send_wr.bind_mw.mw$offset(), mw);
        memory.set(JAVA_INT, BIND + ibv_send_wr.bind_mw.rkey$offset(), newRkey);
        long info = BIND + ibv_send_wr.bind_mw.bind_info$offset();
        memory.set(ADDRESS, info + ibv_mw_bind_info.mr$offset(), mr);
        memory.set(
                JAVA_LONG,
                info + ibv_mw_bind_info.addr$offset(),
                target.mr().iova() + target.offset());
        memory.set(JAVA_LONG, info + ibv_mw_bind_info.length$offset(), target.length());
        memory.set(
                JAVA_INT,
                info + ibv_mw_bind_info.mw_access_flags$offset(),
                AccessFlag.bits(target.access()));
    }

    /** Lets go of the address handle, if there is one. */
    void leave() {
        if (entered != null) {
            entered.release();
            entered = null;
        }
    }

    /** Copies data that is sent inline. */
    static void copy(MemorySegment from, long offset, MemorySegment to, long at, long length) {
        try {
            MemorySegment.copy(from, offset, to, at, length);
        } catch (WrongThreadException e) {
            throw new WrongThreadException(
                    "the inline data lies in a confined arena of another thread; take a shared or"
                            + " automatic one",
                    e);
        }
    }

    private void makeRoom(long data) {
        if (memory.byteSize() < DATA + data) {
            outgrown.add(memory);
            memory = Arena.ofAuto().allocate(DATA + data, 64);
        }
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
            copy(source, wr.sgeOffset(i), memory, DATA + total, length);
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
    long badWr() {
        return memory.address() + ibv_send_wr.sizeof();
    }
}
