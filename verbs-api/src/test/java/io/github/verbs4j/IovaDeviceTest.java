package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.RELAXED_ORDERING;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.AccessFlag.ZERO_BASED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.internal.Posix;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Regions whose bytes the device knows by other addresses than this process. */
@RequiresDevice
class IovaDeviceTest {

    private static final AccessFlag[] ACCESS = {LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE};
    private static final long PAGE = Posix.pageSize();

    private LoopbackPair pair;
    private Arena arena;
    private MemorySegment memory;

    @BeforeEach
    void connect() {
        pair = LoopbackPair.connected();
        arena = Arena.ofShared();
        memory = arena.allocate(2 * PAGE, PAGE);
    }

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    @Test
    @DisplayName("MR-10 a region takes any address with the memory's offset in its page")
    void anyPageAlignedAddress() {
        long last = -2 * PAGE;
        for (long iova : new long[] {0x100000, 0, last}) {
            try (MemoryRegion mr = pair.pd.regMrIova(memory, iova, ACCESS)) {
                assertEquals(iova, mr.iova());
                assertEquals(memory.address(), mr.address());
                assertEquals(new RemoteBuffer(iova, 2 * PAGE, mr.rkey()), mr.remote());
                assertEquals(memory, mr.segment());
            }
        }
        MemorySegment inside = memory.asSlice(24, 100);
        try (MemoryRegion mr = pair.pd.regMrIova(inside, 0x100000 + 24, ACCESS)) {
            assertEquals(0x100018, mr.iova());
        }
    }

    @Test
    @DisplayName("MR-10 another offset in the page is EINVAL on Soft-RoCE, and the message says so")
    void anotherOffsetInThePage() {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        VerbsException e =
                assertThrows(
                        VerbsException.class,
                        () -> pair.pd.regMrIova(memory, 0x100000 + 8, ACCESS));
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("another offset within its page"), e.getMessage());
    }

    @Test
    @DisplayName("MR-11 work requests and peers use the address of the registration")
    void requestsUseTheIova() throws Exception {
        for (long iova : new long[] {0x100000, 0}) {
            try (MemoryRegion mr = pair.pd.regMrIova(memory, iova, ACCESS)) {
                memory.setString(8, "from the region");
                pair.a.postSend(
                        new SendWr(1)
                                .write(mr, 8, 16, pair.mrB.remote(), 0)
                                .sendFlags(SendFlags.SIGNALED));
                assertEquals(WcStatus.SUCCESS, pair.completionA().status());
                assertEquals("from the region", pair.mrB.segment().getString(0));

                pair.mrB.segment().setString(100, "into the region");
                pair.b.postSend(
                        new SendWr(1)
                                .write(pair.mrB, 100, 16, mr.remote(), 64)
                                .sendFlags(SendFlags.SIGNALED));
                assertEquals(WcStatus.SUCCESS, pair.completionB().status());
                assertEquals("into the region", memory.getString(64));

                pair.b.postRecv(new RecvWr(1).sge(mr, PAGE, 16));
                pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 16).sendFlags(SendFlags.SIGNALED));
                assertEquals(WcStatus.SUCCESS, pair.completionA().status());
                assertEquals(WcStatus.SUCCESS, pair.completionB().status());
            }
        }
    }

    @Test
    @DisplayName("MR-11 inline data is read where it lies, whatever the device calls it")
    void inlineDataOfAnIovaRegion() throws Exception {
        for (long iova : new long[] {0x100000, 0}) {
            try (MemoryRegion mr = pair.pd.regMrIova(memory, iova, ACCESS)) {
                memory.setString(32, "inline");
                pair.a.postSend(
                        new SendWr(1)
                                .write(mr, 32, 7, pair.mrB.remote(), 0)
                                .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE));
                assertEquals(WcStatus.SUCCESS, pair.completionA().status());
                assertEquals("inline", pair.mrB.segment().getString(0));
            }
        }
    }

    @Test
    @DisplayName("MR-11 the memory's own address is REM_ACCESS_ERR")
    void ownAddressIsRefused() throws Exception {
        try (MemoryRegion mr = pair.pd.regMrIova(memory, 0x100000, ACCESS)) {
            RemoteBuffer own = new RemoteBuffer(mr.address(), mr.length(), mr.rkey());
            pair.a.postSend(
                    new SendWr(1).write(pair.mrA, 0, 8, own, 0).sendFlags(SendFlags.SIGNALED));
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.completionA().status());
        }
    }

    @Test
    @DisplayName("MR-12 Soft-RoCE ignores ZERO_BASED: the region keeps its address, 0 is refused")
    void zeroBasedOnSoftRoce() throws Exception {
        Assumptions.assumeTrue(TestDevice.isRxe(pair.context));
        AccessFlag[] zeroBased = {LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, ZERO_BASED};
        try (MemoryRegion mr = pair.pd.regMr(memory, zeroBased)) {
            pair.a.postSend(
                    new SendWr(1)
                            .write(pair.mrA, 0, 8, mr.remote(), 0)
                            .sendFlags(SendFlags.SIGNALED));
            assertEquals(WcStatus.SUCCESS, pair.completionA().status());
            RemoteBuffer zero = new RemoteBuffer(0, mr.length(), mr.rkey());
            pair.a.postSend(
                    new SendWr(1).write(pair.mrA, 0, 8, zero, 0).sendFlags(SendFlags.SIGNALED));
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.completionA().status());
        }
    }

    @Test
    @DisplayName("MR optional access bits are dropped by a device that does not know them")
    void relaxedOrderingIsTaken() throws Exception {
        AccessFlag[] relaxed = {LOCAL_WRITE, REMOTE_WRITE, RELAXED_ORDERING};
        try (MemoryRegion mr = pair.pd.regMr(memory, relaxed);
                MemoryRegion other = pair.pd.regMrIova(memory, PAGE, relaxed)) {
            assertEquals(java.util.Set.of(relaxed), mr.access());
            for (MemoryRegion each : new MemoryRegion[] {mr, other}) {
                pair.a.postSend(
                        new SendWr(1)
                                .write(pair.mrA, 0, 8, each.remote(), 0)
                                .sendFlags(SendFlags.SIGNALED));
                assertEquals(WcStatus.SUCCESS, pair.completionA().status());
            }
        }
    }

    @Test
    @DisplayName("MR bad memory is refused under any address")
    void badMemoryIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> pair.pd.regMrIova(MemorySegment.ofArray(new byte[8]), 0, ACCESS));
        assertThrows(
                IllegalArgumentException.class,
                () -> pair.pd.regMrIova(memory.asReadOnly(), 0, LOCAL_WRITE));
        assertThrows(NullPointerException.class, () -> pair.pd.regMrIova(null, 0));
        Arena closed = Arena.ofConfined();
        MemorySegment gone = closed.allocate(8);
        closed.close();
        assertThrows(IllegalStateException.class, () -> pair.pd.regMrIova(gone, 0, ACCESS));
    }
}
