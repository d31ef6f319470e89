package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.ON_DEMAND;
import static io.github.verbs4j.types.AccessFlag.RELAXED_ORDERING;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.ZERO_BASED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.Advice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What C sees of registrations that Soft-RoCE lacks, or that it does not tell apart. */
@Marshalling
class MemoryMarshallingTest {

    @Test
    @DisplayName("MR-10 an address of the caller's choice arrives whole")
    void iova(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100);
            memory.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 0xa7);
            long iova = 0xfedc_ba98_7654_3210L;
            MemoryRegion mr = pd.regMrIova(memory, iova, LOCAL_WRITE, REMOTE_READ);
            assertEquals(
                    "reg_mr_iova(pd=%s, byte=a7, length=100, iova=0xfedcba9876543210, access=0x5)"
                            .formatted(c.name(pd.handle())),
                    c.call("reg_mr_iova"));
            assertEquals(new RemoteBuffer(iova, 100, 0x55667788), mr.remote());
            assertEquals(0x11223344, mr.lkey());
        }
    }

    @Test
    @DisplayName("MR optional access goes through ibv_reg_mr_iova2, with and without an iova")
    void optionalAccess(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100);
            pd.regMr(memory, LOCAL_WRITE, RELAXED_ORDERING);
            pd.regMrIova(memory, 4096, RELAXED_ORDERING);
            String of = c.name(pd.handle());
            assertEquals(
                    List.of(
                            "reg_mr_iova2(pd=" + of + ", iova=addr, length=100, access=0x100001)",
                            "reg_mr_iova2(pd=" + of + ", iova=other, length=100, access=0x100000)"),
                    c.calls("reg_mr_iova2"));
        }
    }

    @Test
    @DisplayName("MR-06 each kind of change of a registration carries what it changes, no more")
    void rereg(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain other = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
            String name = c.name(mr.handle());
            c.answer("new_lkey", 0x77);
            c.answer("new_rkey", 0x88);
            mr.reregMr(LOCAL_WRITE, REMOTE_READ);
            assertEquals(0x77, mr.lkey());
            assertEquals(0x88, mr.rkey());
            mr.reregMr(other);
            MemorySegment memory = arena.allocate(64);
            memory.fill((byte) 0x5a);
            mr.reregMr(memory);
            assertEquals(
                    List.of(
                            "rereg_mr(%s, flags=0x4, pd=NULL, byte=NULL, length=0, access=0x5)"
                                    .formatted(name),
                            "rereg_mr(%s, flags=0x2, pd=%s, byte=NULL, length=0, access=0)"
                                    .formatted(name, c.name(other.handle())),
                            "rereg_mr(%s, flags=0x1, pd=NULL, byte=5a, length=64, access=0)"
                                    .formatted(name)),
                    c.calls("rereg_mr"));
            assertEquals(new RemoteBuffer(memory.address(), 64, 0x88), mr.remote());
            c.fail("rereg_mr", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> mr.reregMr(LOCAL_WRITE));
            assertEquals(Set.of(LOCAL_WRITE, REMOTE_READ), mr.access());
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("MR-06 several changes of a registration go to C in one call, or none")
    void reregSeveral(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                ProtectionDomain other = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
            String name = c.name(mr.handle());
            MemorySegment memory = arena.allocate(64);
            memory.fill((byte) 0x5a);
            mr.reregMr(other, memory, Set.of(LOCAL_WRITE, REMOTE_READ));
            mr.reregMr(null, null, Set.of());
            assertEquals(
                    List.of(
                            "rereg_mr(%s, flags=0x7, pd=%s, byte=5a, length=64, access=0x5)"
                                    .formatted(name, c.name(other.handle())),
                            "rereg_mr(%s, flags=0x4, pd=NULL, byte=NULL, length=0, access=0)"
                                    .formatted(name)),
                    c.calls("rereg_mr"));
            assertEquals(other, mr.pd());
            assertEquals(memory.address(), mr.iova());
            assertEquals(64, mr.length());
            assertEquals(Set.of(), mr.access());
            assertThrows(IllegalArgumentException.class, () -> mr.reregMr(null, null, null));
            c.fail("rereg_mr", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> mr.reregMr(pd, null, null));
            assertEquals(other, mr.pd());
            pd.close();
            assertTrue(mr.isOpen());
            other.close();
            assertFalse(mr.isOpen());
        }
    }

    @Test
    @DisplayName("a null region has no memory, and requests may name any part of it")
    void nullMr(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            MemoryRegion mr = pd.allocNullMr();
            assertEquals("alloc_null_mr(pd=" + c.name(pd.handle()) + ")", c.call("alloc_null_mr"));
            assertEquals(0, mr.iova());
            assertEquals(Long.MAX_VALUE, mr.length());
            assertThrows(IllegalStateException.class, mr::segment);
            assertThrows(IllegalStateException.class, mr::address);
            assertThrows(IllegalStateException.class, () -> mr.reregMr(LOCAL_WRITE));
            new RecvWr(1).sge(mr, 1L << 40, 4096);
            c.fail("alloc_null_mr", Errno.ENOMEM);
            assertThrows(VerbsException.class, pd::allocNullMr);
        }
    }

    @Test
    @DisplayName("inline data from a region that the processor cannot read is refused")
    void inlineWithoutMemory(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            MemoryRegion mr = pd.allocNullMr();
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.UC, cq).maxInlineData(64));
            SendWr wr = new SendWr(1).send(mr, 0, 8).sendFlags(SendFlags.INLINE);
            assertThrows(RuntimeException.class, () -> qp.postSend(wr));
            assertEquals(List.of(), c.calls("post_send"));
        }
    }

    @Test
    @DisplayName("a dma-buf region carries descriptor, offset, length, address and access")
    void dmabuf(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            MemoryRegion mr =
                    pd.regDmabufMr(7, 0x1_0000_1000L, 0x2_0000_0001L, 0x7_0000_2000L, LOCAL_WRITE);
            assertEquals(
                    "reg_dmabuf_mr(pd=%s, offset=0x100001000, length=8589934593, iova=0x700002000, fd=7, access=0x1)"
                            .formatted(c.name(pd.handle())),
                    c.call("reg_dmabuf_mr"));
            assertEquals(new RemoteBuffer(0x7_0000_2000L, 0x2_0000_0001L, 0x55667788), mr.remote());
            assertThrows(IllegalStateException.class, mr::segment);
            c.fail("reg_dmabuf_mr", Errno.EBADF);
            assertEquals(
                    Errno.EBADF,
                    assertThrows(VerbsException.class, () -> pd.regDmabufMr(8, 0, 1, 0)).errno());
        }
    }

    @Test
    @DisplayName("device memory is allocated, copied both ways and registered from offset 0")
    void deviceMemory(StandIn c) {
        c.answer("dm_handle", 31);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            DeviceMemory dm = context.allocDm(4096, 6);
            String name = c.name(dm.handle());
            assertEquals("alloc_dm(length=4096, log_align_req=6, comp_mask=0)", c.call("alloc_dm"));
            assertEquals(31, dm.dmHandle());

            dm.copyIn(16, MemorySegment.ofArray("on the heap".getBytes()));
            byte[] back = new byte[7];
            dm.copyOut(MemorySegment.ofArray(back), 20);
            assertEquals("he heap", new String(back).substring(0, 7));
            assertEquals(
                    "memcpy_to_dm(" + name + ", dm_offset=16, length=11)", c.call("memcpy_to_dm"));
            assertEquals(
                    "memcpy_from_dm(" + name + ", dm_offset=20, length=7)",
                    c.call("memcpy_from_dm"));

            MemoryRegion mr = pd.regDmMr(dm, 1024, 2048, LOCAL_WRITE);
            assertEquals(
                    "reg_dm_mr(pd=%s, dm=%s, dm_offset=1024, length=2048, access=0x21)"
                            .formatted(c.name(pd.handle()), name),
                    c.call("reg_dm_mr"));
            assertEquals(Set.of(LOCAL_WRITE, ZERO_BASED), mr.access());
            assertEquals(new RemoteBuffer(0, 2048, 0x55667788), mr.remote());

            dm.close();
            assertFalse(mr.isOpen());
            List<String> calls = c.calls();
            assertTrue(
                    calls.indexOf(c.call("dereg_mr")) < calls.indexOf(c.call("free_dm")),
                    calls::toString);
            assertThrows(IllegalStateException.class, () -> dm.copyIn(0, MemorySegment.NULL));
        }
    }

    @Test
    @DisplayName("device memory is exported as a dma-buf")
    void exportsDeviceMemory(StandIn c) {
        c.answer("dmabuf_fd", 53);
        try (Context context = c.open()) {
            DeviceMemory dm = context.allocDm(4096, 0);
            assertEquals(53, dm.exportDmabufFd());
            assertEquals(
                    "dm_export_dmabuf_fd(" + c.name(dm.handle()) + ")",
                    c.call("dm_export_dmabuf_fd"));
            c.fail("dm_export_dmabuf_fd", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, dm::exportDmabufFd);
        }
    }

    @Test
    @DisplayName("copies outside the device memory never reach the device")
    void deviceMemoryBounds(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofConfined()) {
            DeviceMemory dm = context.allocDm(64, 0);
            MemorySegment nine = arena.allocate(9);
            for (long offset : new long[] {56, -1, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> dm.copyIn(offset, nine),
                        "" + offset);
                assertThrows(IndexOutOfBoundsException.class, () -> dm.copyOut(nine, offset));
                assertThrows(IndexOutOfBoundsException.class, () -> pd.regDmMr(dm, offset, 9));
            }
            assertEquals(List.of(), c.calls("memcpy_to_dm"));
            assertEquals(List.of(), c.calls("memcpy_from_dm"));
            dm.copyIn(55, nine);
            c.fail("memcpy_to_dm", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> dm.copyIn(0, nine));
            assertThrows(IllegalArgumentException.class, () -> dm.copyOut(nine.asReadOnly(), 0));
            try (Context other = c.open()) {
                ProtectionDomain foreign = other.allocPd();
                assertThrows(IllegalArgumentException.class, () -> foreign.regDmMr(dm, 0, 8));
            }
        }
    }

    @Test
    @DisplayName("advice names each range by the device's address and the region's key")
    void advice(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofShared()) {
            MemoryRegion mr = pd.regMrIova(arena.allocate(8192), 0x10000, ON_DEMAND);
            pd.adviseMr(
                    Advice.PREFETCH_WRITE,
                    true,
                    new MrRange(mr, 0, 4096),
                    new MrRange(mr, 4096, 100));
            String of = c.name(pd.handle());
            assertEquals(
                    "advise_mr(pd=" + of + ", advice=1, flags=0x1, num_sges=2)",
                    c.call("advise_mr"));
            assertEquals(
                    List.of(
                            "range(addr=0x10000, length=4096, lkey=0x11223344)",
                            "range(addr=0x11000, length=100, lkey=0x11223344)"),
                    c.calls("range"));
            pd.adviseMr(Advice.PREFETCH_NO_FAULT, false, new MrRange(mr, 0, 1));
            assertEquals(
                    "advise_mr(pd=" + of + ", advice=2, flags=0, num_sges=1)",
                    c.calls("advise_mr").getLast());
            c.fail("advise_mr", Errno.EFAULT);
            assertEquals(
                    Errno.EFAULT,
                    assertThrows(
                                    VerbsException.class,
                                    () ->
                                            pd.adviseMr(
                                                    Advice.PREFETCH, false, new MrRange(mr, 0, 1)))
                            .errno());
            MrRange range = new MrRange(mr, 0, 1);
            mr.close();
            assertThrows(
                    IllegalStateException.class, () -> pd.adviseMr(Advice.PREFETCH, true, range));
        }
    }

    @Test
    @DisplayName("on-demand paging of everything registers the whole address space")
    void implicit(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            UnsupportedVerbException e =
                    assertThrows(UnsupportedVerbException.class, pd::regImplicitMr);
            assertTrue(e.getMessage().contains("implicit"), e.getMessage());
            assertEquals(List.of(), c.calls("reg_mr"));
            c.answer("odp_general_caps", 3);
            MemoryRegion mr = pd.regImplicitMr(LOCAL_WRITE);
            assertEquals(
                    "reg_mr(pd=%s, length=18446744073709551615, access=0x41)"
                            .formatted(c.name(pd.handle())),
                    c.call("reg_mr"));
            assertEquals(0, mr.iova());
            assertEquals(Set.of(LOCAL_WRITE, ON_DEMAND), mr.access());
        }
    }

    @Test
    @DisplayName("imported objects are given back, not destroyed")
    void imports(StandIn c) {
        c.answer("length", 12345);
        c.answer("mr_handle", 42);
        try (Context context = Context.importDevice(17)) {
            assertEquals("import_device(cmd_fd=17)", c.call("import_device"));
            assertEquals("imported(cmd_fd=" + context.cmdFd() + ")", c.call("imported"));
            assertEquals("standin0", context.device().name());
            ProtectionDomain pd = context.importPd(5);
            assertEquals("import_pd(pd_handle=5)", c.call("import_pd"));
            assertEquals(5, pd.pdHandle());
            MemoryRegion mr = pd.importMr(42, 0x9000);
            assertEquals(
                    "import_mr(pd=" + c.name(pd.handle()) + ", mr_handle=42)", c.call("import_mr"));
            assertEquals(new RemoteBuffer(0x9000, 12345, 0x55667788), mr.remote());
            assertEquals(42, mr.mrHandle());
            DeviceMemory dm = context.importDm(6, 256);
            assertEquals("import_dm(dm_handle=6)", c.call("import_dm"));
            dm.copyIn(0, MemorySegment.ofArray(new byte[256]));
            for (String verb : List.of("import_pd", "import_mr", "import_dm")) {
                c.fail(verb, Errno.EINVAL);
            }
            assertThrows(VerbsException.class, () -> context.importPd(1));
            assertThrows(VerbsException.class, () -> context.importDm(1, 1));
            assertThrows(VerbsException.class, () -> pd.importMr(1, 0));
        }
        assertEquals(1, c.calls("unimport_pd").size());
        assertEquals(1, c.calls("unimport_mr").size());
        assertEquals(1, c.calls("unimport_dm").size());
        assertEquals(List.of(), c.calls("dealloc_pd"));
        assertEquals(List.of(), c.calls("dereg_mr"));
        assertEquals(List.of(), c.calls("free_dm"));
    }
}
