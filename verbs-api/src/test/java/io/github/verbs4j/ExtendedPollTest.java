package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.ffi.ibv_cq_ex;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.testing.CalledFunctions;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A poll calls start, next and end of the provider in the order that its lock needs. */
class ExtendedPollTest {

    private final Arena arena = Arena.ofShared();
    private final CalledFunctions functions = new CalledFunctions(arena);
    private final MemorySegment cq = arena.allocate(ibv_cq_ex.sizeof() + 64, 8);
    private final WcArrayEx wc = new WcArrayEx(4);

    private long growth;

    @BeforeEach
    void provider() {
        // Where the wr_id of a queue pair is says how long a mutex in front of it is.
        MemorySegment qp = arena.allocate(ibv_qp_ex.sizeof() + 64, 8);
        Abi.qp_ex_wr_id(qp, -1);
        growth = qp.mismatch(arena.allocate(qp.byteSize())) - ibv_qp_ex.wr_id$offset();
        MemorySegment wrId = cq.asSlice(ibv_cq_ex.wr_id$offset() + growth, 8);
        put(ibv_cq_ex.start_poll$offset(), functions.noting("start", ADDRESS));
        functions.returnsQueued(Errno.ENOENT, wrId);
        put(ibv_cq_ex.next_poll$offset(), functions.noting("next", ADDRESS));
        functions.returnsQueued(Errno.ENOENT, wrId);
        put(ibv_cq_ex.end_poll$offset(), functions.noting("end", ADDRESS));
        put(ibv_cq_ex.read_opcode$offset(), functions.noting("opcode", ADDRESS));
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void put(long offset, MemorySegment function) {
        cq.set(ADDRESS, offset + growth, function);
    }

    private List<String> take(ExtendedPoll poll, int max) {
        wc.clear(0, false);
        poll.take(new CompletionCalls(cq), wc, max);
        return functions.take().stream().filter(call -> !call.equals("opcode")).toList();
    }

    @Test
    @DisplayName("EX-03 after a start that found nothing there is no end")
    void empty() {
        assertEquals(List.of("start"), take(new ExtendedPoll(false), 4));
        assertEquals(0, wc.count());
        assertEquals(List.of("start"), take(new ExtendedPoll(true), 4));
        assertEquals(0, wc.count());
    }

    @Test
    @DisplayName("a batch ends where the queue is empty, or the array full")
    void batch() {
        ExtendedPoll poll = new ExtendedPoll(false);
        functions.queue(0, 0, 0);
        assertEquals(List.of("start", "next", "next", "next", "end"), take(poll, 4));
        assertEquals(3, wc.count());
        assertEquals(1, wc.wrId(0));
        assertEquals(3, wc.wrId(2));
        functions.queue(0, 0, 0);
        assertEquals(List.of("start", "next", "end"), take(poll, 2));
        assertEquals(2, wc.count());
        assertEquals(List.of("start", "end"), take(poll, 1));
        assertEquals(1, wc.count());
    }

    @Test
    @DisplayName("EX-04 where next is broken, every completion has a cycle of its own")
    void oneByOne() {
        ExtendedPoll poll = new ExtendedPoll(true);
        functions.queue(0, 0);
        assertEquals(List.of("start", "end", "start", "end", "start"), take(poll, 4));
        assertEquals(2, wc.count());
        functions.queue(0, 0);
        assertEquals(List.of("start", "end"), take(poll, 1));
    }

    @Test
    @DisplayName("an error behind completions is reported by the poll after them")
    void errors() {
        for (boolean oneByOne : new boolean[] {false, true}) {
            ExtendedPoll poll = new ExtendedPoll(oneByOne);
            functions.queue(0, Errno.EIO);
            take(poll, 4);
            assertEquals(1, wc.count());
            VerbsException e = assertThrows(VerbsException.class, () -> take(poll, 4));
            assertEquals(Errno.EIO, e.errno());
            assertEquals(List.of(), functions.take());
            assertEquals(List.of("start"), take(poll, 4));
            functions.queue(-Errno.EIO);
            assertThrows(VerbsException.class, () -> take(poll, 4));
            assertEquals(List.of("start"), functions.take());
        }
    }

    @Test
    @DisplayName("a field whose function is missing ends the poll all the same")
    void missingFunction() {
        put(ibv_cq_ex.read_opcode$offset(), MemorySegment.NULL);
        functions.queue(0);
        ExtendedPoll poll = new ExtendedPoll(false);
        assertThrows(UnsupportedOperationException.class, () -> take(poll, 4));
        assertEquals(List.of("start", "end"), functions.take());
    }
}
