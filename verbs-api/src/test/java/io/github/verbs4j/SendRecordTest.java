package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.WorkRequestCalls;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.testing.CalledFunctions;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which functions of a provider a request calls, with what, and in which order. */
class SendRecordTest {

    private final Arena arena = Arena.ofShared();
    private final CalledFunctions functions = new CalledFunctions(arena);
    private final MemorySegment qp = arena.allocate(ibv_qp_ex.sizeof() + 64, 8);
    private final SendRecord record =
            new SendRecord(
                    arena.allocate(4 * SendRecord.sgeSize(), 8),
                    arena.allocate(SendRecord.SCRATCH, 8),
                    arena.allocate(64, 8));
    private long growth;

    @BeforeEach
    void provider() {
        // Where the wr_id is says how long a mutex in front of it is.
        Abi.qp_ex_wr_id(qp, -1);
        growth = qp.mismatch(arena.allocate(qp.byteSize())) - ibv_qp_ex.wr_id$offset();
        put(ibv_qp_ex.wr_send$offset(), "wr_send");
        put(ibv_qp_ex.wr_send_imm$offset(), "wr_send_imm", JAVA_INT);
        put(ibv_qp_ex.wr_send_inv$offset(), "wr_send_inv", JAVA_INT);
        put(ibv_qp_ex.wr_rdma_write$offset(), "wr_rdma_write", JAVA_INT, JAVA_LONG);
        put(
                ibv_qp_ex.wr_rdma_write_imm$offset(),
                "wr_rdma_write_imm",
                JAVA_INT,
                JAVA_LONG,
                JAVA_INT);
        put(ibv_qp_ex.wr_rdma_read$offset(), "wr_rdma_read", JAVA_INT, JAVA_LONG);
        put(
                ibv_qp_ex.wr_atomic_cmp_swp$offset(),
                "wr_atomic_cmp_swp",
                JAVA_INT,
                JAVA_LONG,
                JAVA_LONG,
                JAVA_LONG);
        put(
                ibv_qp_ex.wr_atomic_fetch_add$offset(),
                "wr_atomic_fetch_add",
                JAVA_INT,
                JAVA_LONG,
                JAVA_LONG);
        put(ibv_qp_ex.wr_local_inv$offset(), "wr_local_inv", JAVA_INT);
        put(ibv_qp_ex.wr_set_xrc_srqn$offset(), "wr_set_xrc_srqn", JAVA_INT);
        put(ibv_qp_ex.wr_set_ud_addr$offset(), "wr_set_ud_addr", ADDRESS, JAVA_INT, JAVA_INT);
        put(ibv_qp_ex.wr_set_sge$offset(), "wr_set_sge", JAVA_INT, JAVA_LONG, JAVA_INT);
        put(ibv_qp_ex.sizeof(), "wr_flush", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_BYTE);
        put(
                ibv_qp_ex.wr_send_tso$offset(),
                functions.notingMemory(
                        "wr_send_tso", 1, a -> a[2], ADDRESS, ADDRESS, JAVA_SHORT, JAVA_SHORT));
        put(
                ibv_qp_ex.wr_atomic_write$offset(),
                functions.notingMemory(
                        "wr_atomic_write", 3, _ -> 8, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS));
        put(
                ibv_qp_ex.wr_set_inline_data$offset(),
                functions.notingMemory(
                        "wr_set_inline_data", 1, a -> a[2], ADDRESS, ADDRESS, JAVA_LONG));
        put(
                ibv_qp_ex.wr_set_sge_list$offset(),
                functions.notingMemory(
                        "wr_set_sge_list",
                        2,
                        a -> a[1] * SendRecord.sgeSize(),
                        ADDRESS,
                        JAVA_LONG,
                        ADDRESS));
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void put(long offset, String name, MemoryLayout... parametersAfterQp) {
        MemoryLayout[] all = new MemoryLayout[parametersAfterQp.length + 1];
        all[0] = ADDRESS;
        System.arraycopy(parametersAfterQp, 0, all, 1, parametersAfterQp.length);
        put(offset, functions.noting(name, all));
    }

    private void put(long offset, MemorySegment function) {
        qp.set(ADDRESS, offset + growth, function);
    }

    private List<String> replay() {
        replay(false);
        return functions.take();
    }

    private void replay(boolean inlineFlag) {
        record.freeze();
        record.placeInvalidation(0x77);
        record.replay(new WorkRequestCalls(qp), qp, MemorySegment.NULL, inlineFlag);
        record.thaw();
    }

    private void begin(SendOp op) {
        record.begin(op, 0x1234_5678_9abcL, SendFlags.SIGNALED | SendFlags.FENCE);
        record.rkey = 0x77;
        record.remoteAddress = 0x1_0000_0000L;
    }

    @Test
    @DisplayName("wr_id and wr_flags are set before the operation, INLINE only where it is needed")
    void idAndFlags() {
        begin(SendOp.SEND);
        record.addInline(MemorySegment.ofArray(new byte[] {1, 2}), 64);
        record.addInline(MemorySegment.ofArray(new byte[] {3}), 64);
        assertEquals(List.of("wr_send", "wr_set_inline_data 010203 3"), replay());
        assertEquals(0x1234_5678_9abcL, qp.get(JAVA_LONG, ibv_qp_ex.wr_id$offset() + growth));
        long flags = ibv_qp_ex.wr_flags$offset() + growth;
        assertEquals(SendFlags.SIGNALED | SendFlags.FENCE, qp.get(JAVA_INT, flags));
        replay(true);
        assertEquals(
                SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.INLINE, qp.get(JAVA_INT, flags));
        record.clearData();
        replay(true);
        assertEquals(SendFlags.SIGNALED | SendFlags.FENCE, qp.get(JAVA_INT, flags));
    }

    @Test
    @DisplayName("sends, with immediate data in network order")
    void sends() {
        begin(SendOp.SEND);
        assertEquals(List.of("wr_send", "wr_set_sge 0 0 0"), replay());
        begin(SendOp.SEND_WITH_IMM);
        record.imm = 0x01020304;
        record.addSge(null, 0xabc, 0xffff_ffffL, 5);
        assertEquals(List.of("wr_send_imm 4030201", "wr_set_sge 5 abc ffffffff"), replay());
        begin(SendOp.SEND_WITH_INV);
        assertEquals(List.of("wr_send_inv 77", "wr_set_sge 0 0 0"), replay());
    }

    @Test
    @DisplayName("RDMA and atomics, with key and address")
    void remote() {
        begin(SendOp.RDMA_WRITE);
        record.addSge(null, 1, 2, 3);
        assertEquals(List.of("wr_rdma_write 77 100000000", "wr_set_sge 3 1 2"), replay());
        begin(SendOp.RDMA_WRITE_WITH_IMM);
        record.imm = 1;
        assertEquals(
                List.of("wr_rdma_write_imm 77 100000000 1000000", "wr_set_sge 0 0 0"), replay());
        begin(SendOp.RDMA_READ);
        record.addSge(null, 0x10, 4, 1);
        record.addSge(null, 0x20, 0, 1);
        record.addSge(null, 0x30, 8, 2);
        assertTrue(record.isUneven());
        assertEquals(
                List.of(
                        "wr_rdma_read 77 100000000",
                        "wr_set_sge_list 2 "
                                + "10000000000000000400000001000000"
                                + "30000000000000000800000002000000"),
                replay());
        begin(SendOp.ATOMIC_CMP_AND_SWP);
        record.operand = 0x55;
        record.swap = 0x66;
        record.addSge(null, 8, 8, 1);
        assertEquals(8, record.length());
        assertEquals(List.of("wr_atomic_cmp_swp 77 100000000 55 66", "wr_set_sge 1 8 8"), replay());
        begin(SendOp.ATOMIC_FETCH_AND_ADD);
        record.operand = -1;
        record.addSge(null, 8, 8, 1);
        assertEquals(
                List.of("wr_atomic_fetch_add 77 100000000 ffffffffffffffff", "wr_set_sge 1 8 8"),
                replay());
    }

    @Test
    @DisplayName("TSO passes a copy of its headers, their length and the segment size")
    void tso() {
        begin(SendOp.TSO);
        record.header(MemorySegment.ofArray(new byte[] {9, 8, 7}));
        record.operand = 0xffff;
        record.addSge(null, 1, 2, 3);
        assertEquals(List.of("wr_send_tso 090807 3 ffff", "wr_set_sge 3 1 2"), replay());
    }

    @Test
    @DisplayName("a TSO whose headers cannot be copied does not get those of an earlier one")
    void staleHeader() {
        begin(SendOp.TSO);
        record.header(MemorySegment.ofArray(new byte[] {9, 8, 7}));
        begin(SendOp.TSO);
        MemorySegment freed;
        try (Arena closed = Arena.ofConfined()) {
            freed = closed.allocate(2);
        }
        assertThrows(IllegalStateException.class, () -> record.header(freed));
        record.operand = 1;
        assertEquals("wr_send_tso  0 1", replay().getFirst());
    }

    @Test
    @DisplayName("a record used again posts nothing of what it had: lists, one element, inline")
    void reused() {
        begin(SendOp.SEND);
        record.addSge(null, 0x10, 5, 0xa);
        record.addSge(null, 0x20, 5, 0xb);
        String list = replay().getLast();
        begin(SendOp.SEND);
        record.addInline(MemorySegment.ofArray(new byte[] {1, 2}), 64);
        assertEquals("wr_set_inline_data 0102 2", replay().getLast());
        record.clearData();
        record.addSge(null, 0x30, 6, 0xc);
        assertEquals(6, record.length());
        assertEquals("wr_set_sge c 30 6", replay().getLast());
        begin(SendOp.SEND);
        record.addSge(null, 0x40, 0, 0xd);
        record.addSge(null, 0x10, 5, 0xa);
        record.addSge(null, 0x20, 5, 0xb);
        assertFalse(record.isUneven());
        assertEquals(list, replay().getLast());
        record.clearData();
        assertEquals("wr_set_sge 0 0 0", replay().getLast());
    }

    @Test
    @DisplayName("atomic write, flush and local invalidation take no data")
    void withoutData() {
        begin(SendOp.ATOMIC_WRITE);
        record.atomicValue(0x0102030405060708L);
        assertEquals(List.of("wr_atomic_write 77 100000000 0807060504030201"), replay());
        begin(SendOp.FLUSH);
        record.operand = 4096;
        record.flushType = 3;
        record.flushLevel = 1;
        assertEquals(List.of("wr_flush 77 100000000 1000 3 1"), replay());
        begin(SendOp.LOCAL_INV);
        assertEquals(List.of("wr_local_inv 77"), replay());
    }

    @Test
    @DisplayName("the SRQ number of XRC comes between operation and data, for one request only")
    void xrc() {
        begin(SendOp.SEND);
        record.srqn = 0x123456;
        assertEquals(List.of("wr_send", "wr_set_xrc_srqn 123456", "wr_set_sge 0 0 0"), replay());
        begin(SendOp.SEND);
        assertEquals(List.of("wr_send", "wr_set_sge 0 0 0"), replay());
    }

    @Test
    @DisplayName("more elements or inline data than there is room for are not taken")
    void room() {
        begin(SendOp.SEND);
        for (int i = 0; i < 4; i++) {
            assertTrue(record.addSge(null, 1, 1, 1));
        }
        assertFalse(record.addSge(null, 1, 1, 1));
        assertTrue(record.addSge(null, 1, 0, 1));
        assertFalse(record.isUneven());
        record.clearData();
        assertTrue(record.addInline(MemorySegment.ofArray(new byte[10]), 10));
        assertFalse(record.addInline(MemorySegment.ofArray(new byte[1]), 10));
        assertEquals(10, record.length());
    }

    @Test
    @DisplayName("What is posted is what was frozen, whatever the request is changed to meanwhile")
    void changedMeanwhile() {
        begin(SendOp.SEND);
        record.freeze();
        begin(SendOp.LOCAL_INV);
        record.replay(new WorkRequestCalls(qp), qp, MemorySegment.NULL, false);
        record.thaw();
        assertEquals(List.of("wr_send", "wr_set_sge 0 0 0"), functions.take());
    }
}
