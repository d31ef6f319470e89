package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.internal.RawMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrMemoryTest {

    @Test
    @DisplayName("Each send of a chain points at the next, the last at nothing")
    void sendLinks() {
        SendWrArray chain = new SendWrArray(3, 2);
        assertEquals(3, chain.capacity());
        assertEquals(
                chain.get(1).self().address(), ibv_send_wr.next(chain.get(0).self()).address());
        assertEquals(
                chain.get(2).self().address(), ibv_send_wr.next(chain.get(1).self()).address());
        assertEquals(0, ibv_send_wr.next(chain.get(2).self()).address());
        assertSame(chain.get(1), chain.get(1));
    }

    @Test
    @DisplayName("Each receive of a chain points at the next, the last at nothing")
    void receiveLinks() {
        RecvWrArray chain = new RecvWrArray(2, 1);
        assertEquals(
                chain.get(1).self().address(), ibv_recv_wr.next(chain.get(0).self()).address());
        assertEquals(0, ibv_recv_wr.next(chain.get(1).self()).address());
    }

    @Test
    @DisplayName("Requests of a chain have elements of their own")
    void elementsApart() {
        SendWrArray chain = new SendWrArray(2, 2);
        chain.get(0).sge(0, 10, 1, 1).sge(1, 20, 2, 2);
        chain.get(1).sge(0, 30, 3, 3).sge(1, 40, 4, 4);
        long[] expected = {10, 20, 30, 40};
        for (int i = 0; i < 4; i++) {
            long list = ibv_send_wr.sg_list(chain.get(i / 2).self()).address();
            MemorySegment sge = Raw.at(list + i % 2 * ibv_sge.sizeof(), ibv_sge.sizeof());
            assertEquals(expected[i], ibv_sge.addr(sge));
            assertEquals(i + 1, ibv_sge.length(sge));
        }
    }

    @Test
    @DisplayName("A link can be cut and restored")
    void cutAndRestore() {
        SendWrArray chain = new SendWrArray(3, 0);
        chain.memory().link(1, false);
        assertEquals(0, ibv_send_wr.next(chain.get(1).self()).address());
        chain.memory().link(1, true);
        assertEquals(
                chain.get(2).self().address(), ibv_send_wr.next(chain.get(1).self()).address());
    }

    @Test
    @DisplayName("PO-04 the request that failed is found by its address; NULL means not known")
    void badIndex() {
        SendWrArray chain = new SendWrArray(4, 1);
        WrMemory memory = chain.memory();
        memory.clearBad();
        assertEquals(-1, memory.badIndex());
        for (int i = 0; i < 4; i++) {
            RawMemory.setLong(memory.badWr(), chain.get(i).address());
            assertEquals(i, memory.badIndex());
        }
        RawMemory.setLong(memory.badWr(), memory.memory().address() - 8);
        assertEquals(-1, memory.badIndex());
        RawMemory.setLong(memory.badWr(), memory.badWr());
        assertEquals(-1, memory.badIndex());
    }

    @Test
    @DisplayName("Threads that fill requests of one chain lose none of what these need")
    void traitsOfTwoThreads() throws Exception {
        WrMemory[] chains = new WrMemory[100_000];
        Arrays.setAll(chains, _ -> WrMemory.ofSends(1, 0));
        AtomicInteger arrived = new AtomicInteger();
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> other = executor.submit(() -> add(SendWr.INLINE, chains, arrived));
            add(SendWr.RD_ATOMIC, chains, arrived);
            other.get(60, TimeUnit.SECONDS);
        }
        for (WrMemory chain : chains) {
            assertEquals(SendWr.RD_ATOMIC | SendWr.INLINE, chain.traits());
        }
    }

    /** Adds traits to each, together with another thread. */
    private static void add(int traits, WrMemory[] chains, AtomicInteger arrived) {
        for (int i = 0; i < chains.length; i++) {
            arrived.incrementAndGet();
            while (arrived.get() < 2 * (i + 1)) {
                Thread.onSpinWait();
            }
            chains[i].addTraits(traits);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, (1 << 20) + 1})
    @DisplayName("A chain of an impossible length is refused")
    void impossibleLength(int capacity) {
        assertThrows(IllegalArgumentException.class, () -> new SendWrArray(capacity, 1));
        assertThrows(IllegalArgumentException.class, () -> new RecvWrArray(capacity, 1));
    }

    @Test
    @DisplayName("A chain has no request before the first or behind the last")
    void outside() {
        SendWrArray chain = new SendWrArray(2, 0);
        assertThrows(IndexOutOfBoundsException.class, () -> chain.get(2));
        assertThrows(IndexOutOfBoundsException.class, () -> chain.get(-1));
    }
}
