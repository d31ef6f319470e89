package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.Abi;
import io.github.verbs4j.ffi.ibv_cq_ex;
import io.github.verbs4j.ffi.ibv_qp_ex;
import io.github.verbs4j.ffi.ibv_wc_tm_info;
import io.github.verbs4j.testing.CalledFunctions;
import io.github.verbs4j.types.WcExFlag;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
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
    private int wcFlags = WcFlags.WITH_IMM;

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
        put(ibv_cq_ex.read_opcode$offset(), "opcode", JAVA_INT, 128);
        put(ibv_cq_ex.read_vendor_err$offset(), "vendor_err", JAVA_INT, 0x99);
        put(ibv_cq_ex.read_byte_len$offset(), "byte_len", JAVA_INT, 0xfffffff0);
        put(ibv_cq_ex.read_imm_data$offset(), "imm_data", JAVA_INT, 0x01020304);
        put(ibv_cq_ex.read_qp_num$offset(), "qp_num", JAVA_INT, 0x111);
        put(ibv_cq_ex.read_src_qp$offset(), "src_qp", JAVA_INT, 0x222);
        put(ibv_cq_ex.read_slid$offset(), "slid", JAVA_INT, 0x12345);
        put(ibv_cq_ex.read_sl$offset(), "sl", JAVA_BYTE, (byte) 15);
        put(ibv_cq_ex.read_dlid_path_bits$offset(), "dlid_path_bits", JAVA_BYTE, (byte) 0xff);
        put(ibv_cq_ex.read_completion_ts$offset(), "ts", JAVA_LONG, -2L);
        put(ibv_cq_ex.read_completion_wallclock_ns$offset(), "wallclock", JAVA_LONG, 1L << 60);
        put(ibv_cq_ex.read_cvlan$offset(), "cvlan", JAVA_SHORT, (short) 0xf123);
        put(ibv_cq_ex.read_flow_tag$offset(), "flow_tag", JAVA_INT, 0xabcdef);
        function(
                ibv_cq_ex.read_wc_flags$offset(),
                functions.function(
                        JAVA_INT,
                        arguments -> {
                            functions.note("wc_flags");
                            return wcFlags;
                        },
                        ADDRESS));
        function(
                ibv_cq_ex.read_tm_info$offset(),
                functions.function(
                        null,
                        arguments -> {
                            MemorySegment info = (MemorySegment) arguments[1];
                            ibv_wc_tm_info.tag(info, 0x8877665544332211L);
                            ibv_wc_tm_info.priv(info, 0x5a);
                            functions.note("tm_info");
                            return null;
                        },
                        ADDRESS,
                        CalledFunctions.pointerTo(ibv_wc_tm_info.sizeof())));
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void put(long offset, String name, MemoryLayout result, Object value) {
        function(
                offset,
                functions.function(
                        result,
                        arguments -> {
                            functions.note(name);
                            return value;
                        },
                        ADDRESS));
    }

    private void function(long offset, MemorySegment function) {
        cq.set(ADDRESS, offset + growth, function);
    }

    private void status(WcStatus status) {
        cq.set(JAVA_INT, ibv_cq_ex.status$offset() + growth, status.value());
    }

    @Test
    @DisplayName("every field is read once and comes out unsigned")
    void everyField() {
        wc.clear(EVERYTHING, false);
        wc.add(cq, tmInfo);
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
        wcFlags = 0;
        wc.clear(0, false);
        wc.add(cq, MemorySegment.NULL);
        assertEquals(List.of("qp_num", "opcode", "wc_flags"), functions.take());
        wc.clear(WcExFlag.COMPLETION_TIMESTAMP.value(), false);
        wc.add(cq, MemorySegment.NULL);
        assertEquals(List.of("qp_num", "opcode", "wc_flags", "ts"), functions.take());
        assertEquals(-2L, wc.completionTs(0));
        assertThrows(IllegalStateException.class, () -> wc.byteLen(0));
    }

    @Test
    @DisplayName("of a failed request only queue pair and vendor error are read")
    void failedRequest() {
        status(WcStatus.RETRY_EXC_ERR);
        wc.clear(EVERYTHING, false);
        wc.add(cq, tmInfo);
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
        wcFlags = WcFlags.WITH_INV;
        wc.clear(0, false);
        wc.add(cq, tmInfo);
        assertTrue(wc.isInvalidated(0));
        assertEquals(0x01020304, wc.invalidatedRkey(0));
        assertThrows(IllegalStateException.class, () -> wc.immData(0));
        wcFlags = WcFlags.IP_CSUM_OK;
        wc.clear(0, true);
        wc.add(cq, tmInfo);
        assertEquals(WcFlags.WITH_INV, wc.wcFlags(0));
    }
}
