package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Advice;
import io.github.verbs4j.types.CompCntrType;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.UnsupportedVerbException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What Soft-RoCE has not: each call says so, leaves nothing behind and harms nothing. */
@RequiresDevice(TestDevice.Kind.RXE)
class UnsupportedMemoryDeviceTest {

    private Context context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.RXE).open();
        pd = context.allocPd();
    }

    @AfterEach
    void everythingStillWorks() {
        try (MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE)) {
            assertTrue(mr.isOpen());
        }
        pd.close(); // EBUSY if a call had left something behind
        assertFalse(pd.isOpen());
        context.close();
    }

    private static void isUnsupported(String verb, Executable call) {
        UnsupportedVerbException e = assertThrows(UnsupportedVerbException.class, call);
        assertEquals(Errno.EOPNOTSUPP, e.errno(), e.getMessage());
        assertEquals(verb, e.verb());
    }

    @Test
    @DisplayName("DEV-14 device memory is EOPNOTSUPP")
    void deviceMemory() {
        isUnsupported("ibv_alloc_dm", () -> context.allocDm(4096, 0));
        assertThrows(IllegalArgumentException.class, () -> context.allocDm(0, 0));
        assertThrows(IllegalArgumentException.class, () -> context.allocDm(4096, -1));
    }

    @Test
    @DisplayName("DEV-14 a null region is EOPNOTSUPP")
    void nullMr() {
        isUnsupported("ibv_alloc_null_mr", pd::allocNullMr);
    }

    @Test
    @DisplayName("DEV-14 a dma-buf region is EOPNOTSUPP")
    void dmabuf() {
        isUnsupported("ibv_reg_dmabuf_mr", () -> pd.regDmabufMr(0, 0, 4096, 0, LOCAL_WRITE));
        assertThrows(IllegalArgumentException.class, () -> pd.regDmabufMr(-1, 0, 4096, 0));
        assertThrows(IllegalArgumentException.class, () -> pd.regDmabufMr(0, 0, 0, 0));
    }

    @Test
    @DisplayName("DEV-14 thread and parent domains are EOPNOTSUPP")
    void domains() {
        isUnsupported("ibv_alloc_td", context::allocTd);
        isUnsupported("ibv_alloc_parent_domain", () -> context.allocParentDomain(pd, null));
        try (Context other = context.device().open()) {
            ProtectionDomain foreign = other.allocPd();
            assertThrows(
                    IllegalArgumentException.class, () -> context.allocParentDomain(foreign, null));
        }
    }

    @Test
    @DisplayName("DEV-14 advice is EOPNOTSUPP")
    void advice() {
        try (MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE)) {
            MrRange range = new MrRange(mr, 0, 4096);
            for (Advice advice : Advice.values()) {
                isUnsupported("ibv_advise_mr", () -> pd.adviseMr(advice, true, range));
            }
            assertThrows(IllegalArgumentException.class, () -> pd.adviseMr(Advice.PREFETCH, false));
            assertThrows(IndexOutOfBoundsException.class, () -> new MrRange(mr, 1, 4096));
        }
    }

    @Test
    @DisplayName("DEV-14 the device's clock is EOPNOTSUPP")
    void clock() {
        isUnsupported("ibv_query_rt_values_ex", context::queryRtValuesEx);
    }

    @Test
    @DisplayName("DEV-14 importing the device is EOPNOTSUPP, and the descriptor stays")
    void importing() {
        int fd = context.cmdFd();
        isUnsupported("ibv_import_device", () -> Context.importDevice(fd));
        assertTrue(context.queryDevice().maxQp() > 0);
        assertThrows(IllegalArgumentException.class, () -> Context.importDevice(-1));
    }

    @Test
    @DisplayName("DEV-14 importing objects is EOPNOTSUPP")
    void importingObjects() {
        isUnsupported("ibv_import_pd", () -> context.importPd(pd.pdHandle()));
        isUnsupported("ibv_import_dm", () -> context.importDm(0, 4096));
        try (MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE)) {
            isUnsupported("ibv_import_mr", () -> pd.importMr(mr.mrHandle(), mr.iova()));
        }
    }

    @Test
    @DisplayName(
            "DEV-14 implicit on-demand paging is refused before the device is asked to pin all")
    void implicitOnDemandPaging() {
        isUnsupported("ibv_reg_mr", () -> pd.regImplicitMr(LOCAL_WRITE));
    }

    private static void isTooNew(String verb, int since, Executable call) {
        UnsupportedVerbException e = assertThrows(UnsupportedVerbException.class, call);
        boolean absent = e.getMessage().contains("needs rdma-core >= " + since);
        assertTrue(absent || e.errno() == Errno.EOPNOTSUPP, e.getMessage());
        assertEquals(verb, e.verb());
        assertFalse(e.getMessage().contains('_' + verb), e.getMessage());
    }

    @Test
    @DisplayName("DMA handles and driver buffers name the rdma-core that has them, or EOPNOTSUPP")
    void newerMemory() {
        isTooNew("ibv_alloc_dmah", 59, () -> context.allocDmah(new DmahInitAttr().cpuId(0)));
        if (!NativeLibrary.IBVERBS.exports("ibv_alloc_buf")) {
            // Since then every driver has both: they fall back on ordinary memory.
            isTooNew("ibv_alloc_buf", 64, () -> pd.allocBuf(4096));
            isTooNew(
                    "ibv_alloc_parent_domain",
                    64,
                    () -> context.allocUnprotectedParentDomain(pd, null));
        }
        if (!NativeLibrary.IBVERBS.exports("ibv_reg_mr_ex")) {
            try (Arena arena = Arena.ofShared()) {
                MrInitAttr attr = MrInitAttr.of(arena.allocate(64));
                isTooNew("ibv_reg_mr_ex", 59, () -> pd.regMrEx(attr));
            }
        }
    }

    @Test
    @DisplayName("completion counters name the rdma-core that has them, or EOPNOTSUPP")
    void completionCounters() {
        isTooNew("ibv_query_comp_cntr_caps", 65, context::queryCompCntrCaps);
        isTooNew("ibv_create_comp_cntr", 65, () -> context.createCompCntr(CompCntrType.WRS));
    }
}
