package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.verbs4j.testing.ChildJvm;
import io.github.verbs4j.testing.Libc;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WrOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions as large as an int does not count, and larger than the machine allows. */
@RequiresDevice
class MemoryRegionLimitsDeviceTest {

    private static final int ALIAS = 2 << 20;
    private static final int COPIES = 2560;
    private static final long FIVE_GIB = 5L << 30;

    /** Takes a software device long enough for a region to close meanwhile. */
    private static final int LARGE = 32 << 20;

    private static final int ROUNDS = 20;

    @Test
    @DisplayName("MR-09 offsets beyond 4 GiB work, and one byte past the end does not")
    void offsetsBeyondFourGib() throws Exception {
        try (Arena arena = Arena.ofShared();
                LoopbackPair pair = LoopbackPair.connected()) {
            MemorySegment memory = Libc.mapAliased(arena, ALIAS, COPIES);
            MemoryRegion large = pair.pd.regMr(memory, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ);
            assertEquals(FIVE_GIB, large.length());
            RemoteBuffer remote = large.remote();
            assertEquals(FIVE_GIB, remote.length());

            long offset = (4L << 30) + 12345;
            pair.mrA.segment().setString(0, "beyond 4 GiB");
            pair.a.postSend(new SendWr(1).write(pair.mrA, 0, 13, remote, offset));
            pair.completionA().checkSuccess();
            assertEquals("beyond 4 GiB", memory.getString(offset));

            memory.asSlice(FIVE_GIB - 16).setString(0, "the last bytes.");
            SendWr read = new SendWr(1);
            pair.a.postSend(read.read(pair.mrA, 100, 16, remote, FIVE_GIB - 16));
            assertEquals(16, pair.completionA().checkSuccess().byteLen());
            assertEquals("the last bytes.", pair.mrA.segment().getString(100));

            // From the large region as well, as the local side.
            pair.a.postSend(new SendWr(1).write(large, FIVE_GIB - 16, 16, pair.mrB.remote(), 0));
            pair.completionA().checkSuccess();
            assertEquals("the last bytes.", pair.mrB.segment().getString(0));

            SendWr past = new SendWr(1);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> past.read(pair.mrA, 0, 16, remote, FIVE_GIB - 15));
            assertThrows(IndexOutOfBoundsException.class, () -> past.sge(large, FIVE_GIB - 15, 16));
            past.read(pair.mrA, 0, 16, remote, 0)
                    .remote(remote.address() + FIVE_GIB - 15, remote.rkey());
            pair.a.postSend(past);
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.completionA().status());
        }
    }

    @Test
    @DisplayName(
            "DEV-04 MR-14 a user without rights opens the device; beyond RLIMIT_MEMLOCK the message"
                    + " names the limit, the bytes and the cure")
    void memlockLimit() throws Exception {
        Assumptions.assumeTrue(isRoot(), "needs root to become another user");
        ChildJvm.Result result =
                ChildJvm.run(
                        List.of(
                                "setpriv",
                                "--reuid=65534",
                                "--regid=65534",
                                "--clear-groups",
                                // May read the class path, wherever that is; no more.
                                "--inh-caps=-all,+dac_read_search",
                                "--ambient-caps=-all,+dac_read_search",
                                "prlimit",
                                "--memlock=65536:65536"),
                        List.of("-Djava.io.tmpdir=/tmp"),
                        Registers.class,
                        "1048576",
                        "65536",
                        "4096");
        assertEquals(0, result.exit(), result.output());
        List<String> lines = result.output().lines().filter(l -> l.startsWith("> ")).toList();
        String refused =
                "%d bytes asked for; RLIMIT_MEMLOCK is 65536 bytes, of which other registrations"
                        + " use a part. Raise it: ulimit -l unlimited";
        assertEquals(3, lines.size(), result.output());
        assertTrue(lines.get(0).contains("ENOMEM (12): " + refused.formatted(1048576)));
        assertEquals("> 65536 ok", lines.get(1));
        assertTrue(lines.get(2).contains("ENOMEM (12): " + refused.formatted(4096)));
    }

    private static boolean isRoot() throws IOException {
        return Files.getOwner(Path.of("/proc/self")).getName().equals("root");
    }

    /** Allocates regions of the given sizes, as a user who may not lock much memory. */
    static final class Registers {

        private Registers() {}

        public static void main(String[] sizes) {
            try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
                    ProtectionDomain pd = context.allocPd()) {
                for (String size : sizes) {
                    try {
                        pd.allocateMr(Long.parseLong(size), LOCAL_WRITE);
                        System.out.println("> " + size + " ok");
                    } catch (VerbsException e) {
                        System.out.println("> " + e.getMessage());
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("huge pages back a region where the kernel has them; else the message says so")
    void hugePages() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            long size = hugePageSize();
            if (size == 0) {
                VerbsException e =
                        assertThrows(
                                VerbsException.class, () -> pair.pd.allocateHugeMr(1, LOCAL_WRITE));
                assertEquals(Errno.ENOMEM, e.errno());
                assertTrue(e.getMessage().contains("no huge pages"), e.getMessage());
                return;
            }
            Files.writeString(Path.of("/proc/sys/vm/nr_hugepages"), "2");
            MemoryRegion huge = pair.pd.allocateHugeMr(size + 1, LOCAL_WRITE, REMOTE_WRITE);
            assertEquals(size + 1, huge.length());
            assertEquals(0, huge.address() % size);
            pair.mrA.segment().setString(0, "huge");
            pair.a.postSend(new SendWr(1).write(pair.mrA, 0, 5, huge.remote(), size - 4));
            pair.completionA().checkSuccess();
            assertEquals("huge", huge.segment().getString(size - 4));
            VerbsException e =
                    assertThrows(
                            VerbsException.class,
                            () -> pair.pd.allocateHugeMr(1L << 40, LOCAL_WRITE));
            assertTrue(e.getMessage().contains("nr_hugepages"), e.getMessage());
        }
    }

    private static long hugePageSize() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("Hugepagesize:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    @Test
    @DisplayName("MR-16 memory unmapped while registered is still the device's; a peer reads it")
    void unmappedWhileRegistered() throws Exception {
        try (Arena arena = Arena.ofShared();
                LoopbackPair pair = LoopbackPair.connected()) {
            MemorySegment memory = Libc.mapAnonymous(arena, 4096, Libc.PROT_READ | 2);
            memory.setString(0, "still here");
            MemoryRegion mr = pair.pd.regMr(memory, REMOTE_READ);
            Libc.unmap(memory, 4096);
            pair.a.postSend(new SendWr(1).read(pair.mrA, 0, 16, mr.remote(), 0));
            pair.completionA().checkSuccess();
            assertEquals("still here", pair.mrA.segment().getString(0));
        }
    }

    @Test
    @DisplayName("MR-16 a region whose arena was closed is refused in requests, and still closes")
    void arenaClosedWhileRegistered() {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            Arena arena = Arena.ofShared();
            MemoryRegion mr = pair.pd.regMr(arena.allocate(4096, 4096), LOCAL_WRITE);
            arena.close();
            String message =
                    assertThrows(IllegalStateException.class, () -> new SendWr(1).sge(mr, 0, 1))
                            .getMessage();
            assertTrue(message.contains("freed by its arena"), message);
            mr.close();
        }
    }

    @Test
    @DisplayName("MR-16 a remote region closed between two requests fails the second")
    void remoteRegionClosed() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            AccessFlag[] access = {LOCAL_WRITE, REMOTE_WRITE};
            MemoryRegion target = pair.pd.allocateMr(4096, access);
            RemoteBuffer remote = target.remote();
            SendWr write = new SendWr(1).write(pair.mrA, 0, 64, remote, 0);
            pair.a.postSend(write);
            pair.completionA().checkSuccess();
            target.close();
            pair.a.postSend(write);
            assertEquals(WcStatus.REM_ACCESS_ERR, pair.completionA().status());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WrOpcode.class,
            names = {"RDMA_READ", "RDMA_WRITE"})
    @DisplayName("MR-16 the region read from, by a READ or a WRITE under way, closes and fails it")
    void closedUnderWay(WrOpcode opcode) throws Exception {
        boolean read = opcode == WrOpcode.RDMA_READ;
        for (int round = 0; round < ROUNDS; round++) {
            try (LoopbackPair pair = LoopbackPair.connected()) {
                MemoryRegion into = pair.pd.allocateMr(LARGE, LOCAL_WRITE, REMOTE_WRITE);
                MemoryRegion from = pair.pd.allocateMr(LARGE, LOCAL_WRITE, REMOTE_READ);
                SendWr wr = new SendWr(1);
                if (read) {
                    wr.read(into, 0, LARGE, from.remote(), 0);
                } else {
                    wr.write(from, 0, LARGE, into.remote(), 0);
                }
                pair.a.postSend(wr);
                from.close();
                WcStatus status = pair.completionA().status();
                if (status == WcStatus.SUCCESS) {
                    continue; // it was faster than the closing
                }
                if (TestDevice.isRxe(pair.context)) {
                    // The peer that cannot go on answering falls silent.
                    assertEquals(read ? WcStatus.RETRY_EXC_ERR : WcStatus.LOC_QP_OP_ERR, status);
                }
                assertEquals(QpState.ERR, pair.a.query().qpState());
                assertEquals(read ? QpState.ERR : QpState.RTS, pair.b.query().qpState());
                return;
            }
        }
        fail("no region closed before its request had ended, " + ROUNDS + " times");
    }
}
