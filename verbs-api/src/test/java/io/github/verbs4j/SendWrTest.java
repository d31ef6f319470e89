package io.github.verbs4j;

import static io.github.verbs4j.types.SendFlags.FENCE;
import static io.github.verbs4j.types.SendFlags.INLINE;
import static io.github.verbs4j.types.SendFlags.SIGNALED;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_CMP_AND_SWP;
import static io.github.verbs4j.types.WrOpcode.ATOMIC_FETCH_AND_ADD;
import static io.github.verbs4j.types.WrOpcode.BIND_MW;
import static io.github.verbs4j.types.WrOpcode.LOCAL_INV;
import static io.github.verbs4j.types.WrOpcode.RDMA_READ;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE;
import static io.github.verbs4j.types.WrOpcode.RDMA_WRITE_WITH_IMM;
import static io.github.verbs4j.types.WrOpcode.SEND;
import static io.github.verbs4j.types.WrOpcode.SEND_WITH_IMM;
import static io.github.verbs4j.types.WrOpcode.SEND_WITH_INV;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.ibv_send_wr;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads requests back through the generated layouts, as the provider does. */
class SendWrTest {

    private static final ValueLayout.OfInt BIG_ENDIAN =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final RemoteBuffer TARGET = new RemoteBuffer(0x7000_0000_1000L, 4096, 0xabcd);

    private static MemorySegment sge(SendWr wr, int index) {
        long at = ibv_send_wr.sg_list(wr.self()).address() + index * ibv_sge.sizeof();
        return Raw.at(at, ibv_sge.sizeof());
    }

    private static MemorySegment rdma(SendWr wr) {
        return ibv_send_wr.wr.rdma(ibv_send_wr.wr(wr.self()));
    }

    private static MemorySegment atomic(SendWr wr) {
        return ibv_send_wr.wr.atomic(ibv_send_wr.wr(wr.self()));
    }

    @Test
    @DisplayName("A new request is a signaled SEND of nothing, last of its chain")
    void defaults() {
        MemorySegment wr = new SendWr(2).self();
        assertEquals(SEND.value(), ibv_send_wr.opcode(wr));
        assertEquals(SIGNALED, ibv_send_wr.send_flags(wr));
        assertEquals(0, ibv_send_wr.num_sge(wr));
        assertEquals(0, ibv_send_wr.wr_id(wr));
        assertEquals(0, ibv_send_wr.next(wr).address());
        assertEquals(0, ibv_send_wr.imm_data(wr));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("wr_id takes any 64 bits")
    void wrId(long id) {
        assertEquals(id, ibv_send_wr.wr_id(new SendWr(0).wrId(id).self()));
    }

    @ParameterizedTest
    @EnumSource(WrOpcode.class)
    @DisplayName("K-4 the opcode is one of the closed enum's, by its C number")
    void opcodes(WrOpcode opcode) {
        SendWr wr = new SendWr(0).opcode(opcode);
        // What windows need is put in the copy that is posted.
        WrOpcode placed = (wr.traits() & SendWr.WINDOW) == 0 ? opcode : SEND;
        assertEquals(placed.value(), ibv_send_wr.opcode(wr.self()));
        assertTrue(opcode.value() >= 0 && opcode.value() < 10);
    }

    @Test
    @DisplayName("K-3 no opcode of the kernel's own (32, 33) has a constant")
    void kernelOpcodes() {
        assertThrows(IllegalArgumentException.class, () -> WrOpcode.of(32));
        assertThrows(IllegalArgumentException.class, () -> WrOpcode.of(0x10000));
        assertThrows(IllegalArgumentException.class, () -> WrOpcode.of(-1));
    }

    @Test
    @DisplayName("A null opcode is refused and changes nothing")
    void nullOpcode() {
        SendWr wr = new SendWr(0).opcode(RDMA_READ);
        assertThrows(NullPointerException.class, () -> wr.opcode(null));
        assertEquals(RDMA_READ, wr.opcode());
        assertEquals(RDMA_READ.value(), ibv_send_wr.opcode(wr.self()));
        wr.sendFlags(0); // still usable
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 5, 1 << 7, 1 << 31, -1})
    @DisplayName("SG-07 unknown send flags are refused, by their bits, and change nothing")
    void unknownFlags(int flags) {
        SendWr wr = new SendWr(0).sendFlags(FENCE);
        String message =
                assertThrows(IllegalArgumentException.class, () -> wr.sendFlags(flags))
                        .getMessage();
        assertTrue(message.contains(Integer.toHexString(flags & ~31)), message);
        assertEquals(FENCE, ibv_send_wr.send_flags(wr.self()));
        assertEquals(FENCE, wr.flags());
    }

    @Test
    @DisplayName("INLINE never stands in the request itself, whose addresses nobody checked")
    void inlineStaysOut() {
        SendWr wr = new SendWr(0).sendFlags(SIGNALED | INLINE);
        assertEquals(SIGNALED, ibv_send_wr.send_flags(wr.self()));
        assertEquals(SIGNALED | INLINE, wr.flags());
    }

    @Test
    @DisplayName("Immediate data travels in network order")
    void immediateData() {
        SendWr wr = new SendWr(0).opcode(SEND_WITH_IMM).immData(0x01020304);
        byte[] bytes =
                wr.self().asSlice(ibv_send_wr.imm_data$offset(), 4).toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(new byte[] {1, 2, 3, 4}, bytes);
    }

    @Test
    @DisplayName("The rkey to invalidate stays in host order")
    void invalidateRkey() {
        SendWr wr = new SendWr(0).opcode(SEND_WITH_INV).invalidateRkey(0x01020304);
        assertEquals(0x01020304, ibv_send_wr.invalidate_rkey(wr.self()));
    }

    @Test
    @DisplayName("Immediate data and rkey to invalidate do not leak into each other's operations")
    void immAndInvalidateApart() {
        SendWr wr = new SendWr(0).immData(0x01020304).invalidateRkey(0x55);
        MemorySegment self = wr.self();
        assertEquals(0, ibv_send_wr.imm_data(self));
        wr.opcode(SEND_WITH_INV);
        assertEquals(0x55, ibv_send_wr.invalidate_rkey(self));
        wr.opcode(RDMA_WRITE_WITH_IMM);
        assertEquals(0x01020304, self.get(BIG_ENDIAN, ibv_send_wr.imm_data$offset()));
        wr.opcode(SEND_WITH_INV);
        assertEquals(0x55, ibv_send_wr.invalidate_rkey(self));
        wr.opcode(BIND_MW);
        assertEquals(0, ibv_send_wr.imm_data(self));
    }

    @Test
    @DisplayName("The target of RDMA lies where C's wr.rdma has it")
    void rdmaTarget() {
        SendWr wr = new SendWr(0).opcode(RDMA_WRITE).remote(TARGET, 8);
        assertEquals(TARGET.address() + 8, ibv_send_wr.wr.rdma.remote_addr(rdma(wr)));
        assertEquals(0xabcd, ibv_send_wr.wr.rdma.rkey(rdma(wr)));
    }

    @Test
    @DisplayName("Target and operands of an atomic lie where C's wr.atomic has them")
    void atomicOperands() {
        SendWr wr =
                new SendWr(0)
                        .opcode(ATOMIC_CMP_AND_SWP)
                        .remote(TARGET, 16)
                        .compareAdd(0x1122334455667788L)
                        .swap(-2);
        assertEquals(TARGET.address() + 16, ibv_send_wr.wr.atomic.remote_addr(atomic(wr)));
        assertEquals(0x1122334455667788L, ibv_send_wr.wr.atomic.compare_add(atomic(wr)));
        assertEquals(-2, ibv_send_wr.wr.atomic.swap(atomic(wr)));
        assertEquals(0xabcd, ibv_send_wr.wr.atomic.rkey(atomic(wr)));
    }

    @Test
    @DisplayName("Operands and target may be set before the opcode, in any order")
    void anyOrder() {
        SendWr wr =
                new SendWr(0).swap(7).compareAdd(6).remote(TARGET, 0).opcode(ATOMIC_CMP_AND_SWP);
        assertEquals(6, ibv_send_wr.wr.atomic.compare_add(atomic(wr)));
        assertEquals(7, ibv_send_wr.wr.atomic.swap(atomic(wr)));
        assertEquals(0xabcd, ibv_send_wr.wr.atomic.rkey(atomic(wr)));
    }

    @Test
    @DisplayName("RDMA between two atomics leaves neither an rkey in an operand nor the reverse")
    void switchingBetweenRdmaAndAtomics() {
        SendWr wr =
                new SendWr(0).opcode(ATOMIC_FETCH_AND_ADD).remote(TARGET, 0).compareAdd(1).swap(2);
        wr.opcode(RDMA_READ);
        assertEquals(0xabcd, ibv_send_wr.wr.rdma.rkey(rdma(wr)));
        wr.remote(TARGET.address() + 64, 0x9999);
        assertEquals(0x9999, ibv_send_wr.wr.rdma.rkey(rdma(wr)));
        wr.opcode(ATOMIC_FETCH_AND_ADD);
        assertEquals(1, ibv_send_wr.wr.atomic.compare_add(atomic(wr)));
        assertEquals(0x9999, ibv_send_wr.wr.atomic.rkey(atomic(wr)));
        assertEquals(TARGET.address() + 64, ibv_send_wr.wr.atomic.remote_addr(atomic(wr)));
    }

    @Test
    @DisplayName("Elements lie in a row, with length and lkey of 32 unsigned bits")
    void elements() {
        SendWr wr = new SendWr(3).sge(0, 0x1000, 0, 1).sge(2, -1, 0xffffffffL, -1);
        assertEquals(3, ibv_send_wr.num_sge(wr.self()));
        assertEquals(0x1000, ibv_sge.addr(sge(wr, 0)));
        assertEquals(0, ibv_sge.length(sge(wr, 0)));
        assertEquals(1, ibv_sge.lkey(sge(wr, 0)));
        assertEquals(0, ibv_sge.addr(sge(wr, 1)));
        assertEquals(-1, ibv_sge.addr(sge(wr, 2)));
        assertEquals(-1, ibv_sge.length(sge(wr, 2)));
        assertEquals(-1, ibv_sge.lkey(sge(wr, 2)));
        assertEquals(0xffffffffL, wr.sgeLength(2));
    }

    @Test
    @DisplayName("Setting an element that is there does not shorten the list; numSge does")
    void listLength() {
        SendWr wr = new SendWr(3).sge(2, 1, 1, 1).sge(0, 2, 2, 2);
        assertEquals(3, ibv_send_wr.num_sge(wr.self()));
        wr.numSge(1);
        assertEquals(1, ibv_send_wr.num_sge(wr.self()));
        wr.numSge(0);
        assertEquals(0, ibv_send_wr.num_sge(wr.self()));
    }

    @Test
    @DisplayName("Elements without room, and lengths C cannot hold, are refused")
    void elementBounds() {
        SendWr wr = new SendWr(2);
        assertThrows(IndexOutOfBoundsException.class, () -> wr.sge(2, 0, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> wr.sge(-1, 0, 1, 0));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> wr.sge(2, MemorySegment.ofArray(new byte[1])));
        assertThrows(IllegalArgumentException.class, () -> wr.sge(0, 0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> wr.sge(0, 0, 1L << 32, 0));
        assertThrows(IllegalArgumentException.class, () -> wr.numSge(3));
        assertThrows(IllegalArgumentException.class, () -> wr.numSge(-1));
        assertThrows(NullPointerException.class, () -> wr.sge(0, (MemorySegment) null));
        assertThrows(NullPointerException.class, () -> wr.sge(null, 0, 1));
        assertThrows(NullPointerException.class, () -> wr.remote(null, 0));
        assertThrows(NullPointerException.class, () -> wr.bindMw(null, null));
        assertThrows(NullPointerException.class, () -> wr.localInv(null));
        assertEquals(0, ibv_send_wr.num_sge(wr.self()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1 << 20, Integer.MIN_VALUE, Integer.MAX_VALUE})
    @DisplayName("A request with an impossible number of elements is refused")
    void impossibleRoom(int maxSge) {
        assertThrows(IllegalArgumentException.class, () -> new SendWr(maxSge));
        assertThrows(IllegalArgumentException.class, () -> new SendWrArray(1, maxSge));
        assertThrows(IllegalArgumentException.class, () -> new RecvWr(maxSge));
    }

    @Test
    @DisplayName("Which operations need a second look before they are posted")
    void traits() {
        SendWr wr = new SendWr(1);
        assertEquals(SendWr.ANY, wr.opcode(RDMA_WRITE).traits());
        assertEquals(SendWr.ANY | SendWr.RD_ATOMIC, wr.opcode(RDMA_READ).traits());
        int atomic = SendWr.ANY | SendWr.RD_ATOMIC;
        assertEquals(atomic | SendWr.LENGTH, wr.opcode(ATOMIC_CMP_AND_SWP).traits());
        assertEquals(atomic, wr.sge(0, 0, 8, 0).traits());
        assertEquals(atomic | SendWr.LENGTH, wr.sge(0, 0, 7, 0).traits());
        assertEquals(SendWr.ANY | SendWr.WINDOW, wr.opcode(LOCAL_INV).traits());
        assertEquals(SendWr.ANY | SendWr.WINDOW, wr.opcode(SEND_WITH_INV).traits());
        assertEquals(SendWr.ANY | SendWr.INLINE, wr.opcode(SEND).sendFlags(INLINE).traits());
        wr.sge(0, MemorySegment.ofArray(new byte[1]));
        assertEquals(SendWr.ANY | SendWr.UNREGISTERED, wr.sendFlags(0).traits());
    }

    @Test
    @DisplayName(
            "Lists that may be too long for a message need one as well, single elements do not")
    void lengthTrait() {
        long most = 0xffff_ffffL;
        assertEquals(SendWr.ANY, new SendWr(1).sge(0, 0, most, 0).traits());
        SendWr list = new SendWr(2).sge(0, 0, most / 1024, 0);
        assertEquals(SendWr.ANY, list.traits());
        list.sge(1, 0, most / 1024 + 1, 0);
        assertEquals(SendWr.ANY | SendWr.LENGTH, list.traits());
        list.checkLength();
        list.sge(0, 0, most, 0);
        assertThrows(IllegalArgumentException.class, list::checkLength);
        list.numSge(1).checkLength();
    }

    @Test
    @DisplayName("SG-04 the inline image holds the data of all elements, one after the other")
    void inlineImage() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offHeap = arena.allocateFrom("off");
            SendWr wr =
                    new SendWr(3)
                            .wrId(5)
                            .sge(0, MemorySegment.ofArray(new byte[] {'h', 'e', 'a', 'p'}))
                            .sge(1, MemorySegment.ofArray(new byte[0]))
                            .sge(2, offHeap.asSlice(0, 3))
                            .sendFlags(INLINE | SIGNALED);
            MemorySegment image = Raw.at(wr.image().build(wr, 7), ibv_send_wr.sizeof());
            assertEquals(INLINE | SIGNALED, ibv_send_wr.send_flags(image));
            assertEquals(5, ibv_send_wr.wr_id(image));
            assertEquals(1, ibv_send_wr.num_sge(image));
            assertEquals(0, ibv_send_wr.next(image).address());
            MemorySegment sge = Raw.at(ibv_send_wr.sg_list(image).address(), ibv_sge.sizeof());
            assertEquals(7, ibv_sge.length(sge));
            byte[] data = Raw.at(ibv_sge.addr(sge), 7).toArray(ValueLayout.JAVA_BYTE);
            assertEquals("heapoff", new String(data, java.nio.charset.StandardCharsets.US_ASCII));
        }
    }

    @Test
    @DisplayName("SG-05 one byte more than max_inline_data is refused, by the limit's name")
    void inlineTooLong() {
        SendWr wr = new SendWr(2).sge(0, MemorySegment.ofArray(new byte[4]));
        wr.sge(1, MemorySegment.ofArray(new byte[4]));
        String message =
                assertThrows(IllegalArgumentException.class, () -> wr.image().build(wr, 7))
                        .getMessage();
        assertTrue(message.contains("max_inline_data of 7"), message);
    }

    @Test
    @DisplayName("Inline data given by address alone is refused: the processor would trust it")
    void inlineByAddress() {
        SendWr wr = new SendWr(1).sge(0, 0xdead0000L, 4, 1);
        assertThrows(IllegalArgumentException.class, () -> wr.image().build(wr, 64));
    }

    @Test
    @DisplayName("Inline data whose memory was freed is an exception, not a crash")
    void inlineFreed() {
        SendWr wr = new SendWr(1);
        try (Arena arena = Arena.ofConfined()) {
            wr.sge(0, arena.allocate(8));
        }
        assertThrows(IllegalStateException.class, () -> wr.image().build(wr, 64));
    }

    @Test
    @DisplayName("Inline data in a confined arena of another thread is refused, saying so")
    void inlineOfAnotherThread() throws Exception {
        SendWr wr = new SendWr(1);
        try (Arena arena = Arena.ofConfined()) {
            wr.sge(0, arena.allocate(8));
            FutureTask<Long> posting = new FutureTask<>(() -> wr.image().build(wr, 64));
            Thread.ofPlatform().start(posting).join();
            Throwable refusal = assertThrows(ExecutionException.class, posting::get).getCause();
            assertEquals(WrongThreadException.class, refusal.getClass());
            assertTrue(refusal.getMessage().contains("inline data"), refusal.getMessage());
        }
    }
}
