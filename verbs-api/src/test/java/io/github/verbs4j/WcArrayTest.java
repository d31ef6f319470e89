package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.ibv_wc;
import io.github.verbs4j.types.WcFlags;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class WcArrayTest {

    private static final int RNR_RETRY_EXC_ERR = 13;
    private static final int NOBODY_KNOWS = 77;

    @Test
    void needsRoomForOneAtLeast() {
        assertThrows(IllegalArgumentException.class, () -> new WcArray(0));
        assertThrows(IllegalArgumentException.class, () -> new WcArray(-1));
        assertThrows(IllegalArgumentException.class, () -> new WcArray(Integer.MAX_VALUE));
        assertEquals(3, new WcArray(3).capacity());
    }

    @Test
    void readsOnlyWhatThePollTook() {
        WcArray wc = new WcArray(4);
        assertThrows(IndexOutOfBoundsException.class, () -> wc.wrId(0));
        wc.filled(2, false);
        assertEquals(2, wc.count());
        wc.wrId(1);
        assertThrows(IndexOutOfBoundsException.class, () -> wc.wrId(2));
        assertThrows(IndexOutOfBoundsException.class, () -> wc.status(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> wc.get(Integer.MAX_VALUE));
        wc.filled(0, false);
        assertThrows(IndexOutOfBoundsException.class, () -> wc.isSuccess(1));
    }

    @Test
    void readsEveryFieldUnsignedAndInHostOrder() {
        WcArray wc = new WcArray(2);
        MemorySegment second = ibv_wc.asSlice(wc.memory(), 1);
        ibv_wc.wr_id(second, 0x8877665544332211L);
        ibv_wc.opcode(second, 129); // RECV_RDMA_WITH_IMM
        ibv_wc.byte_len(second, 0xfffffff0);
        ibv_wc.imm_data(second, bigEndian(0x01020304));
        ibv_wc.qp_num(second, 0x11);
        ibv_wc.src_qp(second, 0x22);
        ibv_wc.wc_flags(second, WcFlags.WITH_IMM | WcFlags.GRH);
        ibv_wc.pkey_index(second, (short) 0xfff1);
        ibv_wc.slid(second, (short) 0xfff2);
        ibv_wc.sl(second, (byte) 15);
        ibv_wc.dlid_path_bits(second, (byte) 0x81);
        wc.filled(2, false);
        assertEquals(0x8877665544332211L, wc.wrId(1));
        assertEquals(WcOpcode.RECV_RDMA_WITH_IMM, wc.opcode(1));
        assertEquals(0xfffffff0L, wc.byteLen(1));
        assertEquals(0x01020304, wc.immData(1));
        assertFalse(wc.isInvalidated(1));
        assertThrows(IllegalStateException.class, () -> wc.invalidatedRkey(1));
        WorkCompletion copy = wc.get(1).checkSuccess();
        assertEquals(
                new WorkCompletion(
                        0x8877665544332211L,
                        WcStatus.SUCCESS,
                        WcOpcode.RECV_RDMA_WITH_IMM,
                        0,
                        0xfffffff0L,
                        0x01020304,
                        0x11,
                        0x22,
                        WcFlags.WITH_IMM | WcFlags.GRH,
                        0xfff1,
                        0xfff2,
                        15,
                        0x81),
                copy);
        wc.checkSuccess(1);
    }

    @Test
    void aFailedRequestShowsOnlyWhatMeansSomething() {
        WcArray wc = new WcArray(1);
        ibv_wc.wr_id(wc.memory(), 5);
        ibv_wc.status(wc.memory(), RNR_RETRY_EXC_ERR);
        ibv_wc.vendor_err(wc.memory(), 0x99);
        ibv_wc.qp_num(wc.memory(), 17);
        ibv_wc.byte_len(wc.memory(), 4711);
        wc.filled(1, false);
        assertFalse(wc.isSuccess(0));
        assertEquals(WcStatus.RNR_RETRY_EXC_ERR, wc.status(0));
        assertEquals(0x99, wc.vendorErr(0));
        assertEquals(17, wc.qpNum(0));
        List<Executable> meaningless =
                List.of(
                        () -> wc.opcode(0),
                        () -> wc.byteLen(0),
                        () -> wc.wcFlags(0),
                        () -> wc.immData(0),
                        () -> wc.isInvalidated(0),
                        () -> wc.invalidatedRkey(0),
                        () -> wc.srcQp(0),
                        () -> wc.pkeyIndex(0),
                        () -> wc.slid(0),
                        () -> wc.sl(0),
                        () -> wc.dlidPathBits(0));
        meaningless.forEach(read -> assertThrows(IllegalStateException.class, read));
        WorkCompletion copy = wc.get(0);
        assertNull(copy.opcode());
        assertEquals(0, copy.byteLen());
        WorkCompletionException e =
                assertThrows(WorkCompletionException.class, () -> wc.checkSuccess(0));
        assertTrue(e.getMessage().contains("RNR_RETRY_EXC_ERR"), e.getMessage());
        assertThrows(WorkCompletionException.class, copy::checkSuccess);
    }

    @Test
    void anUnknownStatusIsAFailureWithItsNumber() {
        WcArray wc = new WcArray(1);
        ibv_wc.status(wc.memory(), NOBODY_KNOWS);
        wc.filled(1, false);
        assertEquals(WcStatus.UNRECOGNIZED, wc.status(0));
        assertEquals(NOBODY_KNOWS, wc.rawStatus(0));
        assertFalse(wc.isSuccess(0));
    }

    @Test
    void theInvalidatedRkeyIsInHostOrderAlready() {
        WcArray wc = new WcArray(1);
        ibv_wc.opcode(wc.memory(), 128);
        ibv_wc.imm_data(wc.memory(), 0x1234);
        ibv_wc.wc_flags(wc.memory(), WcFlags.WITH_INV);
        wc.filled(1, false);
        assertTrue(wc.isInvalidated(0));
        assertEquals(0x1234, wc.invalidatedRkey(0));
        assertEquals(0x1234, wc.get(0).immData());
        assertThrows(IllegalStateException.class, () -> wc.immData(0));
    }

    @Test
    void theKernelNumberingThatRxeHandsUpIsPutRight() {
        WcArray wc = new WcArray(1);
        ibv_wc.opcode(wc.memory(), 128);
        ibv_wc.wc_flags(wc.memory(), WcFlags.GRH | WcFlags.IP_CSUM_OK);
        wc.filled(1, true);
        assertEquals(WcFlags.GRH | WcFlags.WITH_INV, wc.wcFlags(0));
        wc.filled(1, false);
        assertEquals(WcFlags.GRH | WcFlags.IP_CSUM_OK, wc.wcFlags(0));
    }

    @Test
    void whatIsNoReceiveDoesNotSayWhereAnEarlierOneCameFrom() {
        WcArray wc = new WcArray(1);
        MemorySegment slot = wc.memory();
        ibv_wc.opcode(slot, 128); // RECV
        ibv_wc.src_qp(slot, 0x22);
        ibv_wc.pkey_index(slot, (short) 1);
        ibv_wc.slid(slot, (short) 2);
        ibv_wc.sl(slot, (byte) 3);
        ibv_wc.dlid_path_bits(slot, (byte) 4);
        wc.filled(1, false);
        assertEquals(0x22, wc.srcQp(0));
        ibv_wc.opcode(slot, 1); // RDMA_WRITE
        wc.filled(1, false);
        assertEquals(0, wc.srcQp(0));
        assertEquals(0, wc.pkeyIndex(0));
        assertEquals(0, wc.slid(0));
        assertEquals(0, wc.sl(0));
        assertEquals(0, wc.dlidPathBits(0));
        assertEquals(0, wc.get(0).srcQp());
    }

    private static int bigEndian(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? Integer.reverseBytes(value)
                : value;
    }
}
