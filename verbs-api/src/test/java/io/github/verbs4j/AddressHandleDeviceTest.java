package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.DatagramPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.EthL2;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GlobalRoute;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class AddressHandleDeviceTest {

    private static int errno(ProtectionDomain pd, AhAttr attr) {
        return assertThrows(VerbsException.class, () -> pd.createAh(attr)).errno();
    }

    @Test
    @DisplayName("AH-01 a handle is created; a port that is not there is refused")
    void create() {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open();
                ProtectionDomain pd = context.allocPd()) {
            GidEntry gid = context.defaultGid(1);
            try (AddressHandle ah = pd.createAh(AhAttr.to(gid, gid.gid()))) {
                assertTrue(ah.isOpen());
                assertEquals(pd, ah.pd());
                assertFalse(ah.handle().equals(MemorySegment.NULL));
            }
            for (int port : new int[] {0, 2, 255}) {
                AhAttr attr = AhAttr.to(gid, gid.gid()).portNum(port);
                assertThrows(IllegalArgumentException.class, () -> pd.createAh(attr));
            }
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("AH-01 what rxe refuses: no global route, an empty index, two families, no GID")
    void refused() {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open();
                ProtectionDomain pd = context.allocPd()) {
            GidEntry ipv4 = context.defaultGid(1);
            assertEquals(Errno.EINVAL, errno(pd, new AhAttr().portNum(1)));
            assertEquals(
                    Errno.ENODATA,
                    errno(
                            pd,
                            new AhAttr()
                                    .portNum(1)
                                    .grh(new GlobalRoute(ipv4.gid(), 0, 200, 64, 0))));
            GidEntry linkLocal =
                    context.gidTable(1).stream()
                            .filter(entry -> entry.gid().isLinkLocal())
                            .findFirst()
                            .orElseThrow();
            assertEquals(Errno.EINVAL, errno(pd, AhAttr.to(linkLocal, ipv4.gid())));
            assertEquals(Errno.EINVAL, errno(pd, AhAttr.to(ipv4, Gid.of(0, 0))));
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("AH-03 the device runs out of handles with EINVAL; closing the domain frees them")
    void runsOut() {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            AhAttr attr = AhAttr.to(context.defaultGid(1), context.defaultGid(1).gid());
            List<AddressHandle> handles = new ArrayList<>();
            try (ProtectionDomain pd = context.allocPd()) {
                VerbsException full =
                        assertThrows(
                                VerbsException.class,
                                () -> {
                                    while (handles.size() < 40_000) {
                                        handles.add(pd.createAh(attr));
                                    }
                                });
                assertEquals(Errno.EINVAL, full.errno());
                assertTrue(full.getMessage().contains("no more address handles"));
                assertTrue(handles.size() > 30_000, () -> "only " + handles.size());
            }
            assertFalse(handles.getFirst().isOpen());
            try (ProtectionDomain pd = context.allocPd();
                    AddressHandle ah = pd.createAh(attr)) {
                assertTrue(ah.isOpen());
            }
        }
    }

    @Test
    @DisplayName(
            "an address from a completion needs 40 bytes, a port, and a receive that succeeded")
    void fromWcChecksItsArguments() throws Exception {
        try (DatagramPair pair = new DatagramPair()) {
            pair.postRecvB(1, 100);
            pair.a.postSend(pair.sendToB(1));
            pair.await(pair.cqB);
            MemorySegment buffer = pair.mr.segment().asSlice(DatagramPair.RECV_AT, 100);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.context.initAhFromWc(1, pair.wc, 0, buffer.asSlice(0, 39)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.pd.createAhFromWc(pair.wc, 0, buffer, 2));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> pair.pd.createAhFromWc(pair.wc, 1, buffer, 1));
            // On the heap too: it is copied.
            byte[] copy = buffer.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            AhAttr back = pair.context.initAhFromWc(1, pair.wc, 0, MemorySegment.ofArray(copy));
            assertEquals(pair.gid.gid(), back.grh().dgid());
            buffer.fill((byte) 0x77);
            assertThrows(
                    VerbsException.class, () -> pair.context.initAhFromWc(1, pair.wc, 0, buffer));
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("the Ethernet address of this machine's GID is its net device's")
    void resolvesEthernet() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            GidEntry gid = context.defaultGid(1);
            EthL2 address = context.resolveEthL2FromGid(AhAttr.to(gid, gid.gid()));
            byte[] mac =
                    NetworkInterface.getByName(gid.netDevice().orElseThrow()).getHardwareAddress();
            assertEquals(new EthL2(mac, java.util.OptionalInt.empty()), address);
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("AH-01 Soft-iWARP has no datagrams, and says so")
    void unsupported() {
        try (Context context = TestDevice.get(TestDevice.Kind.SIW).open();
                ProtectionDomain pd = context.allocPd()) {
            AhAttr attr = AhAttr.to(context.gidTable(1).getFirst(), Gid.of(0, 1));
            assertThrows(UnsupportedVerbException.class, () -> pd.createAh(attr));
        }
    }
}
