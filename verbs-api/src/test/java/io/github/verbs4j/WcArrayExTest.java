package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.CompletionCalls;
import io.github.verbs4j.ffi.ibv_cq_ex;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.testing.CalledFunctions;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is read from a provider that has every field. */
class WcArrayExTest {

    private static final int EVERYTHING = WcExFlag.bits(EnumSet.allOf(WcExFlag.class));

    private final Arena arena = Arena.ofShared();
    private final CalledFunctions functions = new CalledFunctions(arena);
    private final MemorySegment cq = arena.allocate(ibv_cq_ex.sizeof() + 64, 8);
    private final MemorySegment tmInfo = ibv_wc_tm_info.allocate(arena);
    private final WcArrayEx wc = new WcArrayEx(2);
    private long growth;

    @Test
    @DisplayName("A capacity that no poll needs is refused, as is none")
    void capacity() {
        assertThrows(IllegalArgumentException.class, () -> new WcArrayEx(0));
        assertThrows(IllegalArgumentException.class, () -> new WcArrayEx(Integer.MAX_VALUE));
        assertEquals(3, new WcArrayEx(3).capacity());
    }

    @BeforeEach
    void provider() {
        // Where the wr_id of a queue pair is says how long a mutex in front of it is.
        MemorySegment qp = arena.allocate(ibv_qp_ex.sizeof() + 64, 8);
        Abi.qp_ex_wr_id(qp, -1);
        growth = qp.mismatch(arena.allocate(qp.byteSize())) - ibv_qp_ex.wr_id$offset();
        cq.set(JAVA_LONG, ibv_cq_ex.wr_id$offset() + growth, 0x1122334455667788L);
        put(ibv_cq_ex.read_opcode$offset(), "opcode", 128L);
        put(ibv_cq_ex.read_vendor_err$offset(), "vendor_err", 0x99L);
        put(ibv_cq_ex.read_byte_len$offset(), "byte_len", 0xfffffff0L);
        put(ibv_cq_ex.read_imm_data$offset(), "imm_data", 0x01020304L);
        put(ibv_cq_ex.read_qp_num$offset(), "qp_num", 0x111L);
        put(ibv_cq_ex.read_src_qp$offset(), "src_qp", 0x222L);
        put(ibv_cq_ex.read_slid$offset(), "slid", 0x12345L);
        put(ibv_cq_ex.read_sl$offset(), "sl", 0x7f0fL);
        put(ibv_cq_ex.read_dlid_path_bits$offset(), "dlid_path_bits", 0x7fffL);
        put(ibv_cq_ex.read_completion_ts$offset(), "ts", -2L);
        put(ibv_cq_ex.read_completion_wallclock_ns$offset(), "wallclock", 1L << 60);
        put(ibv_cq_ex.read_cvlan$offset(), "cvlan", 0x7ff123L);
        put(ibv_cq_ex.read_flow_tag$offset(), "flow_tag", 0xabcdefL);
        MemorySegment info = ibv_wc_tm_info.allocate(arena);
        ibv_wc_tm_info.tag(info, 0x8877665544332211L);
        ibv_wc_tm_info.priv(info, 0x5a);
        put(ibv_cq_ex.read_tm_info$offset(), "tm_info", 0);
        functions.fills(info);
        wcFlags(WcFlags.WITH_IMM);
    }

    private void wcFlags(int flags) {
        put(ibv_cq_ex.read_wc_flags$offset(), "wc_flags", flags);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    /** Garbage above the bits of a type is what C may leave there. */
    private void put(long offset, String name, long value) {
        cq.set(ADDRESS, offset + growth, functions.noting(name, ADDRESS));
        functions.returns(value);
    }

    private CompletionCalls calls() {
        return new CompletionCalls(cq);
    }

    private void status(WcStatus status) {
        cq.set(JAVA_INT, ibv_cq_ex.status$offset() + growth, status.value());
    }

    @Test
    @DisplayName("every field is read once and comes out unsigned")
    void everyField() {
        wc.clear(EVERYTHING, false);
        wc.add(calls(), tmInfo);
        assertEquals(1, wc.count());
        List<String> calls = functions.take();
        assertEquals(14, calls.size(), calls::toString);
        assertEquals(14, new HashSet<>(calls).size(), calls::toString);
        assertEquals(0x1122334455667788L, wc.wrId(0));
        assertEquals(WcOpcode.RECV, wc.opcode(0));
        assertEquals(0, wc.vendorErr(0));
        assertEquals(0xfffffff0L, wc.byteLen(0));
        assertEquals(0x04030201, wc.immData(0));
        assertEquals(0x111, wc.qpNum(0));
        assertEquals(0x222, wc.srcQp(0));
        assertEquals(0x12345, wc.slid(0));
        assertEquals(15, wc.sl(0));
        assertEquals(255, wc.dlidPathBits(0));
        assertEquals(-2L, wc.completionTs(0));
        assertEquals(1L << 60, wc.completionWallclockNs(0));
        assertEquals(0xf123, wc.cvlan(0));
        assertEquals(0xabcdef, wc.flowTag(0));
        assertEquals(0x8877665544332211L, wc.tmTag(0));
        assertEquals(0x5a, wc.tmPriv(0));
        assertThrows(IllegalStateException.class, () -> wc.invalidatedRkey(0));
    }

    @Test
    @DisplayName("only what was asked for is read, beside what is always there")
    void onlyWhatWasAskedFor() {
        wcFlags(0);
        wc.clear(0, false);
        wc.add(calls(), MemorySegment.NULL);
        assertEquals(List.of("opcode", "wc_flags"), functions.take());
        wc.clear(WcExFlag.COMPLETION_TIMESTAMP.value(), false);
        wc.add(calls(), MemorySegment.NULL);
        assertEquals(List.of("opcode", "wc_flags", "ts"), functions.take());
        assertEquals(-2L, wc.completionTs(0));
        assertThrows(IllegalStateException.class, () -> wc.byteLen(0));
    }

    @Test
    @DisplayName("of a send no flags are read, which only receives have")
    void sends() {
        put(ibv_cq_ex.read_opcode$offset(), "opcode", WcOpcode.RDMA_WRITE.value());
        wc.clear(0, false);
        wc.add(calls(), tmInfo);
        assertEquals(List.of("opcode"), functions.take());
        assertEquals(WcOpcode.RDMA_WRITE, wc.opcode(0));
        assertEquals(0, wc.wcFlags(0));
        assertThrows(IllegalStateException.class, () -> wc.immData(0));
    }

    @Test
    @DisplayName("the queue pair of a request that succeeded is there if it was asked for")
    void queuePair() {
        wc.clear(0, false);
        wc.add(calls(), tmInfo);
        assertThrows(IllegalStateException.class, () -> wc.qpNum(0));
        wc.clear(WcExFlag.QP_NUM.value(), false);
        wc.add(calls(), tmInfo);
        assertEquals(0x111, wc.qpNum(0));
    }

    @Test
    @DisplayName("of a failed request only queue pair and vendor error are read")
    void failedRequest() {
        status(WcStatus.RETRY_EXC_ERR);
        wc.clear(EVERYTHING, false);
        wc.add(calls(), tmInfo);
        assertEquals(List.of("qp_num", "vendor_err"), functions.take());
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status(0));
        assertEquals(0x99, wc.vendorErr(0));
        assertEquals(0x111, wc.qpNum(0));
        assertThrows(IllegalStateException.class, () -> wc.completionTs(0));
        assertThrows(IllegalStateException.class, () -> wc.tmTag(0));
    }

    @Test
    @DisplayName("an invalidated rkey is in host order, and told from immediate data")
    void invalidatedRkey() {
        wcFlags(WcFlags.WITH_INV);
        wc.clear(0, false);
        wc.add(calls(), tmInfo);
        assertTrue(wc.isInvalidated(0));
        assertEquals(0x01020304, wc.invalidatedRkey(0));
        assertThrows(IllegalStateException.class, () -> wc.immData(0));
        wcFlags(WcFlags.IP_CSUM_OK);
        wc.clear(0, true);
        wc.add(calls(), tmInfo);
        assertEquals(WcFlags.WITH_INV, wc.wcFlags(0));
    }
}
