package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.FLUSH_GLOBAL;
import static io.github.verbs4j.types.AccessFlag.FLUSH_PERSISTENT;
import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.ON_DEMAND;
import static io.github.verbs4j.types.AccessFlag.RELAXED_ORDERING;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.testing.Libc;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@RequiresDevice
class MemoryRegionDeviceTest {

    private final Arena arena = Arena.ofShared();
    private Context context;
    private ProtectionDomain pd;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
        pd = context.allocPd();
    }

    @AfterEach
    void close() {
        context.close();
        arena.close();
    }

    @Test
    @DisplayName("an allocated region is zeroed, page-aligned and exactly as long as asked")
    void allocatedRegion() {
        MemoryRegion mr = pd.allocateMr(5000, LOCAL_WRITE, REMOTE_READ);
        assertEquals(5000, mr.length());
        assertEquals(5000, mr.segment().byteSize());
        assertEquals(0, mr.address() % Posix.pageSize());
        assertEquals(-1, mr.segment().mismatch(arena.allocate(5000)));
        assertEquals(Set.of(LOCAL_WRITE, REMOTE_READ), mr.access());
        assertSame(pd, mr.pd());
        assertEquals(mr.address(), mr.remote().address());
        assertEquals(5000, mr.remote().length());
        assertEquals(mr.rkey(), mr.remote().rkey());
        mr.close();
        assertThrows(IllegalStateException.class, () -> mr.segment().get(JAVA_BYTE, 0));
    }

    @Test
    @DisplayName("MR-02 remote writes and atomics need LOCAL_WRITE, said before the call")
    void remoteWritesNeedLocalWrite() {
        for (AccessFlag flag : List.of(REMOTE_WRITE, REMOTE_ATOMIC)) {
            for (Executable call :
                    List.<Executable>of(
                            () -> pd.allocateMr(8, flag),
                            () -> pd.regMr(arena.allocate(8), flag, REMOTE_READ))) {
                String message = assertThrows(IllegalArgumentException.class, call).getMessage();
                assertEquals(flag + " needs LOCAL_WRITE as well", message);
            }
        }
    }

    @Test
    @DisplayName("MR-03 a flag the device lacks is EINVAL, an optional one is accepted")
    void unsupportedFlags() {
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        for (AccessFlag flag : List.of(ON_DEMAND, FLUSH_GLOBAL, FLUSH_PERSISTENT)) {
            VerbsException e = assertThrows(VerbsException.class, () -> pd.allocateMr(4096, flag));
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains(flag.name()), e.getMessage());
        }
        pd.allocateMr(4096, LOCAL_WRITE, RELAXED_ORDERING).close();
    }

    @Test
    @DisplayName("MR-04 a region of no bytes is refused")
    void noBytes() {
        assertThrows(IllegalArgumentException.class, () -> pd.allocateMr(0, LOCAL_WRITE));
        MemorySegment emptyAtOddAddress = arena.allocate(64).asSlice(3, 0);
        for (MemorySegment empty : List.of(MemorySegment.NULL, emptyAtOddAddress)) {
            assertThrows(IllegalArgumentException.class, () -> pd.regMr(empty));
        }
    }

    @Test
    @DisplayName("MR-05 memory that is not mapped, or only in part, or not accessible, is EFAULT")
    void unmappedMemory() {
        MemorySegment hole = Libc.mapAnonymous(arena, 8192, Libc.PROT_READ_WRITE);
        hole.fill((byte) 1);
        Libc.unmap(hole.asSlice(4096), 4096);
        List<MemorySegment> wrong =
                List.of(
                        Libc.segment(0, 4096),
                        hole,
                        Libc.mapAnonymous(arena, 4096, Libc.PROT_NONE));
        for (MemorySegment segment : wrong) {
            VerbsException e =
                    assertThrows(VerbsException.class, () -> pd.regMr(segment, LOCAL_WRITE));
            assertEquals(Errno.EFAULT, e.errno());
            assertTrue(e.getMessage().contains("not mapped"), e.getMessage());
        }
    }

    @Test
    @DisplayName("MR-06 lengths that are negative or beyond any memory are refused")
    void impossibleLengths() {
        assertThrows(IllegalArgumentException.class, () -> pd.allocateMr(-1, LOCAL_WRITE));
        assertThrows(IllegalArgumentException.class, () -> pd.allocateMr(Long.MIN_VALUE));
        for (long length : new long[] {Long.MAX_VALUE, 1L << 56, 1L << 48}) {
            VerbsException e = assertThrows(VerbsException.class, () -> pd.allocateMr(length));
            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains(Long.toString(length)), e.getMessage());
        }
        MemorySegment all = Libc.segment(0, Long.MAX_VALUE);
        assertThrows(VerbsException.class, () -> pd.regMr(all));
    }

    @Test
    @DisplayName("MR-07 one byte at an odd address is registered as it is")
    void oneByteAtAnOddAddress() {
        MemorySegment odd = arena.allocate(64, 64).asSlice(7, 1);
        MemoryRegion mr = pd.regMr(odd, LOCAL_WRITE);
        assertEquals(odd.address(), mr.address());
        assertEquals(1, mr.length());
        mr.close();
        odd.set(JAVA_BYTE, 0, (byte) 1); // still the caller's
    }

    @Test
    @DisplayName("MR-08 memory mapped read-only: for reading it is registered, for writing EFAULT")
    void memoryMappedReadOnly() {
        MemorySegment readOnly = Libc.mapAnonymous(arena, 4096, Libc.PROT_READ);
        pd.regMr(readOnly).close();
        pd.regMr(readOnly, REMOTE_READ).close();
        VerbsException e =
                assertThrows(VerbsException.class, () -> pd.regMr(readOnly, LOCAL_WRITE));
        assertEquals(Errno.EFAULT, e.errno());
        assertTrue(e.getMessage().contains("read-only"), e.getMessage());
    }

    @Test
    @DisplayName("MR-08 a segment that is read-only in Java is not given to the device for writing")
    void readOnlySegment() {
        MemorySegment readOnly = arena.allocate(4096).asReadOnly();
        pd.regMr(readOnly, REMOTE_READ).close();
        assertThrows(IllegalArgumentException.class, () -> pd.regMr(readOnly, LOCAL_WRITE));
    }

    @Test
    @DisplayName("MR-08 a file mapped for reading and writing is registered")
    void mappedFile() throws IOException {
        Path path = Files.createTempFile("verbs4j", ".dat");
        try (FileChannel file =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 8192, arena);
            assertEquals(8192, pd.regMr(mapped, LOCAL_WRITE, REMOTE_WRITE).length());
        } finally {
            Files.delete(path);
        }
    }

    @Test
    @DisplayName("MR-13 a device without ibv_rereg_mr says so, and the region works on")
    void reregIsUnsupported() {
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
        ProtectionDomain other = context.allocPd();
        MemorySegment replacement = arena.allocate(4096, 4096);
        int rkey = mr.rkey();
        List<Executable> calls =
                List.of(
                        () -> mr.reregMr(LOCAL_WRITE, REMOTE_READ),
                        () -> mr.reregMr(other),
                        () -> mr.reregMr(replacement));
        for (Executable call : calls) {
            String message = assertThrows(UnsupportedVerbException.class, call).getMessage();
            assertTrue(message.contains("the region is as before"), message);
        }
        assertEquals(Set.of(LOCAL_WRITE), mr.access());
        assertSame(pd, mr.pd());
        assertEquals(rkey, mr.rkey());
        mr.segment().set(JAVA_BYTE, 0, (byte) 1);
        other.close();
        assertTrue(mr.isOpen());
        pd.close();
        assertFalse(mr.isOpen());
    }

    @Test
    @DisplayName("MR-13 re-registration refuses what registration refuses")
    void reregRefusesWrongArguments() {
        MemoryRegion mr = pd.allocateMr(4096);
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);
        assertThrows(IllegalArgumentException.class, () -> mr.reregMr(REMOTE_WRITE));
        assertThrows(IllegalArgumentException.class, () -> mr.reregMr(heap));
        assertThrows(NullPointerException.class, () -> mr.reregMr((ProtectionDomain) null));
        assertThrows(NullPointerException.class, () -> mr.reregMr((MemorySegment) null));
        try (Context other = context.device().open()) {
            ProtectionDomain foreign = other.allocPd();
            assertThrows(IllegalArgumentException.class, () -> mr.reregMr(foreign));
        }
    }

    @Test
    @DisplayName("MR-15 the same memory registered 2000 times has as many keys")
    void sameMemoryManyTimes() {
        MemorySegment memory = arena.allocate(4096, 4096);
        Set<Integer> keys = new HashSet<>();
        List<MemoryRegion> regions = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            regions.add(pd.regMr(memory, LOCAL_WRITE, REMOTE_READ));
            keys.add(regions.getLast().rkey());
        }
        assertEquals(2000, keys.size());
        regions.forEach(MemoryRegion::close);
    }

    @Test
    @DisplayName("R heap segments, closed arenas and foreign lengths never reach the device")
    void heapAndClosedSegments() {
        MemorySegment heap = MemorySegment.ofArray(new byte[4096]);
        String message =
                assertThrows(IllegalArgumentException.class, () -> pd.regMr(heap)).getMessage();
        assertTrue(message.contains("heap segment"), message);
        Arena shortLived = Arena.ofConfined();
        MemorySegment freed = shortLived.allocate(4096);
        shortLived.close();
        message = assertThrows(IllegalStateException.class, () -> pd.regMr(freed)).getMessage();
        assertTrue(message.contains("arena is closed"), message);
    }

    @Test
    @DisplayName("R a closed region refuses every call, and may be closed again")
    void closedRegion() {
        MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
        mr.close();
        mr.close();
        assertFalse(mr.isOpen());
        ProtectionDomain other = context.allocPd();
        MemorySegment replacement = arena.allocate(4096);
        List<Executable> calls =
                List.of(
                        mr::handle,
                        () -> mr.reregMr(LOCAL_WRITE),
                        () -> mr.reregMr(other),
                        () -> mr.reregMr(replacement),
                        () -> new MwBind(mr, REMOTE_READ),
                        () -> new SendWr(1).sge(mr, 0, 1),
                        () -> new RecvWr(1).sge(mr, 0, 1));
        calls.forEach(call -> assertThrows(IllegalStateException.class, call));
        assertTrue(mr.toString().contains("4096 bytes"), mr.toString());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName(
            "MR-05 MR-06 siw refuses unmapped memory, and lengths that its kernel module miscounts")
    void siwRefusesTheSame() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            ProtectionDomain domain = siw.allocPd();
            MemorySegment unmapped = Libc.segment(0, 4096);
            MemorySegment all = Libc.segment(0, Long.MAX_VALUE);
            assertEquals(Errno.EFAULT, errno(() -> domain.regMr(unmapped)));
            assertThrows(IllegalArgumentException.class, () -> domain.regMr(all));
            MemoryRegion mr = domain.allocateMr(1, LOCAL_WRITE, REMOTE_WRITE);
            assertThrows(UnsupportedVerbException.class, () -> mr.reregMr(LOCAL_WRITE));
            assertTrue(mr.isOpen());
        }
    }

    private static int errno(Executable call) {
        return assertThrows(VerbsException.class, call).errno();
    }
}
