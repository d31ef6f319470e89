package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.DeviceAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.PortCapFlag;
import io.github.verbs4j.types.PortState;
import io.github.verbs4j.types.VerbsException;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@RequiresDevice
class ContextDeviceTest {

    private Context context;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @DisplayName("DEV-05 the device tells its limits")
    void deviceTellsLimits() {
        DeviceAttr attr = context.queryDevice();
        assertTrue(attr.physPortCnt() >= 1);
        assertTrue(attr.maxQp() > 0 && attr.maxCqe() > 0 && attr.maxSge() > 0);
        assertEquals(context.device().guid(), attr.nodeGuid());
        assertTrue(context.numCompVectors() >= 1);
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(1_048_560, attr.maxQp());
        assertEquals(1_048_576, attr.maxQpWr());
        assertEquals(32, attr.maxSge());
        assertEquals(32_767, attr.maxCqe());
        assertEquals(524_287, attr.maxMr());
        assertEquals(-1L, attr.maxMrSize());
        assertEquals(27, attr.maxSrqSge());
        assertEquals(128, attr.maxQpRdAtom());
        assertEquals(524_287, attr.maxMw());
        assertEquals(64, attr.maxPkeys());
        assertEquals(AtomicCap.HCA, attr.atomicCap());
        assertEquals(0x1223c76, attr.deviceCapFlags());
        assertEquals(1, attr.physPortCnt());
        assertEquals(Runtime.getRuntime().availableProcessors(), context.numCompVectors());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("DEV-05 siw tells its own limits")
    void siwTellsLimits() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            DeviceAttr attr = siw.queryDevice();
            assertEquals(0x626d74, attr.vendorId());
            assertEquals(6, attr.maxSge());
            assertEquals(1, attr.maxSgeRd());
            assertEquals(0, attr.maxMw());
            assertEquals(AtomicCap.NONE, attr.atomicCap());
            assertEquals(0, siw.queryPort(1).pkeyTblLen());
            assertEquals(1, siw.gidTable().size());
        }
    }

    @Test
    @DisplayName("DEV-07 a port tells its state; one that is not there is refused before the call")
    void portTellsState() {
        PortAttr port = context.queryPort(1);
        assertEquals(PortState.ACTIVE, port.state());
        assertTrue(port.activeMtu().compareTo(port.maxMtu()) <= 0);
        for (int wrong : new int[] {0, -1, 2, 255, 257, Integer.MIN_VALUE}) {
            int number = wrong == 2 ? context.queryDevice().physPortCnt() + 1 : wrong;
            List<Executable> calls =
                    List.of(
                            () -> context.queryPort(number),
                            () -> context.gidTable(number),
                            () -> context.queryGid(number, 0),
                            () -> context.defaultGid(number),
                            () -> context.queryPkey(number, 0));
            calls.forEach(call -> assertThrows(IllegalArgumentException.class, call));
        }
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(LinkLayer.ETHERNET, port.linkLayer());
        assertEquals(0, port.lid());
        assertEquals(1024, port.gidTblLen());
        assertEquals(1, port.pkeyTblLen());
        assertEquals(PortCapFlag.of(port.portCapFlags()), port.capFlags());
        assertTrue(port.capFlags().contains(PortCapFlag.CM_SUP), port::toString);
        assertEquals(Set.of(), port.capFlags2());
        assertEquals(8 << 20, port.maxMsgSz());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("DEV-08 the field that the exported ibv_query_port leaves out is read too")
    void wholePort() {
        for (int i = 0; i < 20; i++) { // what was in the memory before differs
            assertEquals(0, context.queryPort(1).portCapFlags2());
        }
    }

    @Test
    @DisplayName("DEV-11 a GID entry tells its type and net device")
    void gidEntryTellsTypeAndNetDevice() throws Exception {
        for (GidEntry entry : context.gidTable()) {
            assertEquals(entry, context.queryGid(entry.port(), entry.index()));
        }
        GidEntry chosen = context.defaultGid(1);
        assertTrue(context.gidTable(1).contains(chosen));
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(GidType.ROCE_V2, chosen.type());
        assertTrue(chosen.gid().isIpv4Mapped(), chosen.toString());
        String netDevice = chosen.netDevice().orElseThrow();
        assertEquals(chosen.netdevIndex(), NetworkInterface.getByName(netDevice).getIndex());
    }

    @Test
    @DisplayName("DEV-11 an empty GID slot is ENODATA, one outside the table EINVAL")
    void emptyAndMissingGidSlots() {
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(Errno.ENODATA, errno(() -> context.queryGid(1, 1000)));
        assertEquals(Errno.EINVAL, errno(() -> context.queryGid(1, 1024)));
        assertEquals(Errno.EINVAL, errno(() -> context.queryGid(1, -1)));
    }

    @Test
    @DisplayName("DEV-12 the GID table is read whole, whatever the kernel's limits on the answer")
    void gidTableIsReadWhole() {
        List<GidEntry> table = context.gidTable();
        assertFalse(table.isEmpty());
        assertEquals(table.stream().distinct().toList(), table);
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(2, table.size());
    }

    @Test
    @DisplayName("DEV-13 the first partition key is the default one; others are not there")
    void partitionKeys() {
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(0xffff, context.queryPkey(1, 0));
        assertEquals(Errno.ENOENT, errno(() -> context.queryPkey(1, 1)));
        VerbsException e = assertThrows(VerbsException.class, () -> context.queryPkey(1, -1));
        assertEquals(Errno.ENOENT, e.errno());
        assertTrue(e.getMessage().contains("indices 0 to 0, asked for -1"), e.getMessage());
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("DEV-13 siw has no partition keys")
    void siwHasNoPartitionKeys() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            VerbsException e = assertThrows(VerbsException.class, () -> siw.queryPkey(1, 0));
            assertEquals(Errno.ENOENT, e.errno());
            assertTrue(e.getMessage().contains("no partition keys"), e.getMessage());
        }
    }

    @Test
    @DisplayName("FK-01 fork needs no preparation where the kernel copies pinned pages")
    void forkNeedsNoPreparation() {
        Assumptions.assumeTrue(TestDevice.isRxe(context));
        assertEquals(2, DeviceVerbs.ibv_is_fork_initialized());
    }

    @Test
    @DisplayName("R a closed context refuses every call, and may be closed again")
    void closedContextRefusesEveryCall() {
        context.close();
        context.close();
        assertFalse(context.isOpen());
        List<Executable> calls =
                List.of(
                        context::queryDevice,
                        () -> context.queryPort(1),
                        context::gidTable,
                        () -> context.gidTable(1),
                        () -> context.queryGid(1, 0),
                        () -> context.defaultGid(1),
                        () -> context.queryPkey(1, 0),
                        context::allocPd,
                        () -> context.createCq(1),
                        context::createCompChannel,
                        context::handle);
        for (Executable call : calls) {
            String message = assertThrows(IllegalStateException.class, call).getMessage();
            assertTrue(message.contains("closed"), message);
        }
        assertTrue(context.toString().startsWith("Context of "));
        assertTrue(context.numCompVectors() >= 1);
    }

    @Test
    @DisplayName("FK-04 closing a context closes all that was made from it")
    void closingAContextClosesAll() {
        LoopbackPair pair = LoopbackPair.connected();
        CompletionChannel channel = pair.context.createCompChannel();
        CompletionQueue cq = pair.context.createCq(new CqInitAttr(1).channel(channel));
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_1);
        pair.context.close();
        assertFalse(pair.a.isOpen() || pair.b.isOpen());
        assertFalse(pair.cqA.isOpen() || pair.cqB.isOpen() || cq.isOpen());
        assertFalse(pair.mrA.isOpen() || pair.mrB.isOpen() || mw.isOpen());
        assertFalse(pair.pd.isOpen() || channel.isOpen());
        // In whatever order a program closes them afterwards.
        pair.pd.close();
        pair.a.close();
        pair.mrA.close();
        channel.close();
        cq.close();
        mw.close();
        assertThrows(IllegalStateException.class, () -> pair.cqA.poll(new WcArray(1)));
    }

    @Test
    @DisplayName("R two contexts of one device are two")
    void twoContextsOfOneDevice() {
        Context other = context.device().open();
        assertNotEquals(context.handle(), other.handle());
        other.close();
        assertTrue(context.isOpen());
        context.queryDevice();
    }

    private static int errno(Executable call) {
        return assertThrows(VerbsException.class, call).errno();
    }
}
