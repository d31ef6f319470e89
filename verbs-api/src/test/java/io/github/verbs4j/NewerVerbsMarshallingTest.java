package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.PendingRead;
import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.CompCntrCaps;
import io.github.verbs4j.types.CompCntrOp;
import io.github.verbs4j.types.CompCntrType;
import io.github.verbs4j.types.DataInOrder;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.TphMemType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What C sees of the verbs that rdma-core got after version 44. */
@Marshalling
class NewerVerbsMarshallingTest {

    @Test
    @DisplayName("a DMA handle carries the hints that were set, and no others")
    void dmaHandle(StandIn c) {
        try (Context context = c.open()) {
            context.allocDmah(new DmahInitAttr());
            context.allocDmah(new DmahInitAttr().cpuId(0x1234_5678));
            context.allocDmah(new DmahInitAttr().cpuId(1).ph(3).tphMemType(TphMemType.PM));
            assertEquals(
                    List.of(
                            "alloc_dmah(comp_mask=0, cpu_id=0, ph=0, tph_mem_type=0)",
                            "alloc_dmah(comp_mask=0x1, cpu_id=305419896, ph=0, tph_mem_type=0)",
                            "alloc_dmah(comp_mask=0x7, cpu_id=1, ph=3, tph_mem_type=1)"),
                    c.calls("alloc_dmah"));
            assertThrows(IllegalArgumentException.class, () -> new DmahInitAttr().cpuId(-1));
            assertThrows(IllegalArgumentException.class, () -> new DmahInitAttr().ph(4));
            c.fail("alloc_dmah", Errno.EINVAL);
            VerbsException e =
                    assertThrows(
                            VerbsException.class,
                            () -> context.allocDmah(new DmahInitAttr().ph(2)));
            assertTrue(e.getMessage().contains("ph=2"), e.getMessage());
        }
    }

    @Test
    @DisplayName("a region with hints closes before its DMA handle")
    void hintedRegion(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100);
            memory.fill((byte) 0xa7);
            DmaHandle dmah = context.allocDmah(new DmahInitAttr().ph(1));
            MemoryRegion mr =
                    pd.regMrEx(MrInitAttr.of(memory).access(LOCAL_WRITE, REMOTE_READ).dmah(dmah));
            assertEquals(
                    ("reg_mr_ex(pd=%s, length=100, access=0x5, comp_mask=0x12, iova=0, byte=a7,"
                                    + " fd=-1, fd_offset=0, dmah=%s, buf=NULL)")
                            .formatted(c.name(pd.handle()), c.name(dmah.handle())),
                    c.call("reg_mr_ex"));
            assertEquals(new RemoteBuffer(memory.address(), 100, 0x55667788), mr.remote());
            assertEquals(memory.address(), mr.segment().address());
            dmah.close();
            assertFalse(mr.isOpen());
            List<String> calls = c.calls();
            assertTrue(
                    indexOf(calls, "dereg_mr(") < indexOf(calls, "dealloc_dmah("), calls::toString);
            try (Context other = c.open()) {
                DmaHandle foreign = other.allocDmah(new DmahInitAttr());
                MrInitAttr attr = MrInitAttr.of(memory).dmah(foreign);
                assertThrows(IllegalArgumentException.class, () -> pd.regMrEx(attr));
            }
        }
    }

    private static int indexOf(List<String> calls, String start) {
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).startsWith(start)) {
                return i;
            }
        }
        throw new AssertionError(start + " in " + calls);
    }

    @Test
    @DisplayName("one verb registers at an address of the caller's choice, and a dma-buf")
    void oneVerbForAll(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64);
            long iova = 0xfedc_ba98_7654_3210L;
            MemoryRegion elsewhere = pd.regMrEx(MrInitAttr.of(memory).iova(iova));
            MemoryRegion dmabuf =
                    pd.regMrEx(
                            MrInitAttr.ofDmabuf(9, 0x1_0000_1000L, 1L << 33, 0x1000)
                                    .access(LOCAL_WRITE, REMOTE_WRITE));
            String of = c.name(pd.handle());
            assertEquals(
                    List.of(
                            "reg_mr_ex(pd="
                                    + of
                                    + ", length=64, access=0, comp_mask=0x3,"
                                    + " iova=0xfedcba9876543210, byte=00, fd=-1, fd_offset=0,"
                                    + " dmah=NULL, buf=NULL)",
                            "reg_mr_ex(pd="
                                    + of
                                    + ", length=8589934592, access=0x3, comp_mask=0xd,"
                                    + " iova=0x1000, byte=NULL, fd=9, fd_offset=0x100001000,"
                                    + " dmah=NULL, buf=NULL)"),
                    c.calls("reg_mr_ex"));
            assertEquals(iova, elsewhere.iova());
            assertEquals(0x1000, dmabuf.iova());
            assertEquals(1L << 33, dmabuf.length());
            assertThrows(IllegalStateException.class, dmabuf::segment);
            MrInitAttr attr = MrInitAttr.of(memory);
            assertThrows(IllegalArgumentException.class, () -> attr.access(REMOTE_WRITE));
            MemorySegment heap = MemorySegment.ofArray(new byte[8]);
            assertThrows(IllegalArgumentException.class, () -> MrInitAttr.of(heap));
            assertThrows(IllegalArgumentException.class, () -> MrInitAttr.ofDmabuf(-1, 0, 1, 0));
            c.fail("reg_mr_ex", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, () -> pd.regMrEx(attr));
        }
    }

    @Test
    @DisplayName("a driver's buffer is registered in parts, by either verb, and closes last")
    void driverBuffer(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain other = context.allocPd()) {
            ProviderBuffer buf = pd.allocBuf(10_000);
            assertEquals(
                    "alloc_buf(pd=" + c.name(pd.handle()) + ", size=10000)", c.call("alloc_buf"));
            assertEquals(10_000, buf.size());
            assertEquals((byte) 0xb5, buf.segment().get(JAVA_BYTE, 9_999));
            MemoryRegion part = pd.regBufMr(buf, 4096, 100, LOCAL_WRITE);
            assertEquals(
                    "reg_buf_mr(pd=%s, buf=%s, offset=4096, length=100, access=0x1)"
                            .formatted(c.name(pd.handle()), c.name(buf.handle())),
                    c.call("reg_buf_mr"));
            assertEquals(buf.segment().address() + 4096, part.address());
            MemoryRegion whole = pd.regMrEx(MrInitAttr.of(buf).access(LOCAL_WRITE));
            assertEquals(
                    ("reg_mr_ex(pd=%s, length=10000, access=0x1, comp_mask=0x22, iova=0, byte=b5,"
                                    + " fd=-1, fd_offset=0, dmah=NULL, buf=%s)")
                            .formatted(c.name(pd.handle()), c.name(buf.handle())),
                    c.call("reg_mr_ex"));
            assertThrows(IllegalArgumentException.class, () -> other.regBufMr(buf, 0, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> pd.regBufMr(buf, 9_999, 2));
            assertThrows(IllegalArgumentException.class, () -> pd.regBufMr(buf, 0, 0));
            MrInitAttr attr = MrInitAttr.of(buf);
            assertThrows(IllegalStateException.class, () -> attr.iova(0));
            c.answer("dmabuf_fd", 17);
            assertEquals(17, buf.exportDmabufFd());
            c.fail("export_buf_dmabuf_fd", Errno.ENODATA);
            assertEquals(
                    Errno.ENODATA, assertThrows(VerbsException.class, buf::exportDmabufFd).errno());
            MemorySegment memory = buf.segment();
            buf.close();
            assertFalse(part.isOpen() || whole.isOpen());
            assertThrows(IllegalStateException.class, () -> memory.get(JAVA_BYTE, 0));
            assertTrue(c.calls().getLast().startsWith("free_buf("), c.calls()::toString);
            c.fail("alloc_buf", Errno.ENOMEM);
            assertEquals(
                    Errno.ENOMEM, assertThrows(VerbsException.class, () -> pd.allocBuf(1)).errno());
            assertThrows(IllegalArgumentException.class, () -> pd.allocBuf(0));
        }
    }

    @Test
    @DisplayName("a buffer that a read is inside of goes back to the driver when that has ended")
    void driverBufferInUse(StandIn c) throws Exception {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            ProviderBuffer buf = pd.allocBuf(10_000);
            MemorySegment memory = buf.segment();
            try (PendingRead _ = new PendingRead(memory)) {
                buf.close();
                assertFalse(buf.isOpen());
                assertEquals(List.of(), c.calls("free_buf"));
            }
            PendingRead.awaitFreed(memory);
            long deadline = System.nanoTime() + 20_000_000_000L;
            while (c.calls("free_buf").isEmpty()) {
                assertTrue(System.nanoTime() - deadline < 0, c.calls()::toString);
                Thread.yield();
            }
        }
        c.call("free_buf");
    }

    @Test
    @DisplayName("a parent domain may allow buffers that a confidential guest shares")
    void unprotected(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            ParentDomain parent = context.allocUnprotectedParentDomain(pd, null);
            assertEquals(
                    "alloc_parent_domain(pd=%s, td=NULL, comp_mask=0x4, callbacks=none, pd_context=NULL)"
                            .formatted(c.name(pd.handle())),
                    c.call("alloc_parent_domain"));
            try (ProviderBuffer buf = parent.allocBuf(1)) {
                assertThrows(IllegalArgumentException.class, () -> pd.regBufMr(buf, 0, 1));
                parent.regBufMr(buf, 0, 1);
            }
        }
    }

    @Test
    @DisplayName("what completion counters can count is read back")
    void counterCaps(StandIn c) {
        try (Context context = c.open()) {
            c.answer("max_value", -2);
            c.answer("max_counters", 0xffff_fffeL);
            c.answer("supported_qp_attach_ops", 0x129);
            assertEquals(
                    new CompCntrCaps(
                            -2,
                            0xffff_fffeL,
                            Set.of(
                                    CompCntrOp.SEND,
                                    CompCntrOp.REMOTE_RDMA_READ,
                                    CompCntrOp.REMOTE_RDMA_WRITE)),
                    context.queryCompCntrCaps());
            assertEquals("query_comp_cntr_caps(size=right)", c.call("query_comp_cntr_caps"));
            c.fail("query_comp_cntr_caps", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, context::queryCompCntrCaps);
        }
    }

    @Test
    @DisplayName("a completion counter has two counts, each set, raised and read by itself")
    void counter(StandIn c) {
        try (Context context = c.open()) {
            CompletionCounter bytes = context.createCompCntr(CompCntrType.BYTES);
            assertEquals(
                    "create_comp_cntr(comp_mask=0, type=1, flags=0)", c.call("create_comp_cntr"));
            bytes.set(0xfedc_ba98_7654_3210L);
            bytes.setErr(7);
            bytes.inc(1);
            bytes.incErr(0x1_0000_0000L);
            assertEquals(0xfedc_ba98_7654_3211L, bytes.read());
            assertEquals(0x1_0000_0007L, bytes.readErr());
            for (String verb : List.of("set", "inc", "read", "set_err", "inc_err", "read_err")) {
                c.fail(verb + "_comp_cntr", Errno.EINVAL);
            }
            assertThrows(VerbsException.class, () -> bytes.set(1));
            assertThrows(VerbsException.class, () -> bytes.setErr(1));
            assertThrows(VerbsException.class, () -> bytes.inc(1));
            assertThrows(VerbsException.class, () -> bytes.incErr(1));
            assertThrows(VerbsException.class, bytes::read);
            assertThrows(VerbsException.class, bytes::readErr);
            bytes.close();
            assertThrows(IllegalStateException.class, bytes::read);
            c.fail("create_comp_cntr", Errno.ENOMEM);
            assertThrows(VerbsException.class, () -> context.createCompCntr(CompCntrType.WRS));
        }
    }

    @Test
    @DisplayName("queue pairs close before the counter they are attached to")
    void attached(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            CompletionCounter counter = context.createCompCntr(CompCntrType.WRS);
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
            qp.attachCompCntr(counter, CompCntrOp.SEND, CompCntrOp.REMOTE_RDMA_WRITE);
            assertEquals(
                    "qp_attach_comp_cntr(%s, %s, comp_mask=0, op_mask=0x21)"
                            .formatted(c.name(qp.handle()), c.name(counter.handle())),
                    c.call("qp_attach_comp_cntr"));
            assertThrows(IllegalArgumentException.class, () -> qp.attachCompCntr(counter));
            try (Context other = c.open()) {
                CompletionCounter foreign = other.createCompCntr(CompCntrType.WRS);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> qp.attachCompCntr(foreign, CompCntrOp.RECV));
            }
            c.fail("qp_attach_comp_cntr", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> qp.attachCompCntr(counter, CompCntrOp.SEND));
            String name = c.name(counter.handle());
            counter.close();
            assertFalse(qp.isOpen());
            List<String> calls = c.calls();
            assertTrue(
                    indexOf(calls, "destroy_qp(") < indexOf(calls, "destroy_comp_cntr(" + name),
                    calls::toString);
        }
    }

    @Test
    @DisplayName("the order of data is asked for by capabilities, of the device alone or plainly")
    void dataInOrder(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
            c.answer("whole_msg", 1);
            assertEquals(
                    Set.of(DataInOrder.WHOLE_MSG),
                    qp.queryDataInOrder(WrOpcode.RDMA_READ),
                    "of a library that knows no flags");
            c.answer("data_in_order", 2);
            assertEquals(Set.of(DataInOrder.ALIGNED_128_BYTES), qp.queryDataInOrder(WrOpcode.SEND));
            c.answer("data_in_order", 3);
            assertEquals(
                    Set.of(DataInOrder.values()), qp.queryDataInOrderOfDevice(WrOpcode.RDMA_WRITE));
            String name = c.name(qp.handle());
            assertEquals(
                    List.of(
                            "query_qp_data_in_order(" + name + ", op=4, flags=0x1)",
                            "query_qp_data_in_order(" + name + ", op=4, flags=0)",
                            "query_qp_data_in_order(" + name + ", op=2, flags=0x1)",
                            "query_qp_data_in_order(" + name + ", op=0, flags=0x3)"),
                    c.calls("query_qp_data_in_order"));
        }
    }
}
