package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {

    private static final NativeLibrary ABSENT =
            new NativeLibrary("libverbs4j-absent.so.1", "libabsent1", "libabsent");

    /** The library, or a skipped test. */
    static NativeLibrary ifInstalled(NativeLibrary library) {
        try {
            library.load();
            return library;
        } catch (NativeLibraryMissingException e) {
            return abort(e.getMessage());
        }
    }

    @Test
    void anAbsentLibraryIsReportedWithThePackageToInstall() {
        var e = assertThrows(NativeLibraryMissingException.class, ABSENT::load);
        assertEquals("libverbs4j-absent.so.1", e.library());
        assertTrue(e.getMessage().startsWith("libverbs4j-absent.so.1 could not be loaded"));
        assertTrue(e.getMessage().contains("apt install libabsent1"));
        assertTrue(e.getMessage().contains("dnf install libabsent"));
    }

    @Test
    void anAbsentLibraryIsLookedForAgainByTheNextCall() {
        for (int i = 0; i < 3; i++) {
            assertThrows(NativeLibraryMissingException.class, () -> ABSENT.symbol("ibv_x"));
        }
    }

    @Test
    void constantsAndLayoutsNeedNoLibrary() {
        assertEquals(2, verbs_h.IBV_QPT_RC());
        assertEquals(16, ibv_sge.sizeof());
    }

    @Test
    void aYoungerFunctionNamesTheVersionItNeeds() {
        // The C library stands in for an old libibverbs.
        NativeLibrary old = new NativeLibrary("libc.so.6", "libc6", "glibc");
        var e = assertThrows(MissingSymbolException.class, () -> old.symbol("ibv_alloc_dmah"));
        assertEquals("ibv_alloc_dmah", e.symbol());
        assertEquals(
                "ibv_alloc_dmah needs rdma-core >= 59; the installed libc.so.6 does not have it",
                e.getMessage());
    }

    @Test
    void aYoungerFunctionFailsOnlyWhenItIsCalled() {
        NativeLibrary library = ifInstalled(NativeLibrary.IBVERBS);
        if (!library.exports("ibv_dealloc_dmah")) {
            assertThrows(
                    MissingSymbolException.class,
                    () -> DeviceMemoryVerbs.ibv_dealloc_dmah(MemorySegment.NULL));
        }
        assertEquals(0x101, DeviceMemoryVerbs.ibv_inc_rkey(0x100));
    }

    @Test
    void anUnknownFunctionIsReportedToo() {
        NativeLibrary library = ifInstalled(NativeLibrary.IBVERBS);
        var e = assertThrows(MissingSymbolException.class, () -> library.symbol("ibv_make_tea"));
        assertTrue(e.getMessage().startsWith("ibv_make_tea is not in the installed rdma-core"));
    }

    @Test
    void versionsOfYoungFunctionsAreKnown() {
        assertEquals(OptionalInt.of(64), SymbolVersions.introducedIn("ibv_alloc_buf"));
        assertEquals(OptionalInt.of(28), SymbolVersions.introducedIn("ibv_reg_mr_iova2"));
        assertEquals(OptionalInt.empty(), SymbolVersions.introducedIn("ibv_alloc_pd"));
    }

    @Test
    void exportsTellsWithoutThrowing() {
        NativeLibrary library = ifInstalled(NativeLibrary.IBVERBS);
        assertTrue(library.exports("ibv_alloc_pd"));
        assertFalse(library.exports("ibv_make_tea"));
    }

    @Test
    void anUnknownMachineIsRefused() {
        assertThrows(UnsupportedOperationException.class, () -> Abi.mutexGrowth("riscv64", true));
    }

    @Test
    void anExportedFunctionCanBeCalled() {
        ifInstalled(NativeLibrary.IBVERBS);
        assertEquals("success", NameVerbs.ibv_wc_status_str(0).getString(0));
        assertEquals(4, NameVerbs.ibv_rate_to_mult(verbs_h.IBV_RATE_10_GBPS()));
    }
}
