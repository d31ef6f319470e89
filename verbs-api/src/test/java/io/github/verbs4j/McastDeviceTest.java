package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.testing.DatagramPair;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.Grh;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice(TestDevice.Kind.RXE)
class McastDeviceTest {

    private static final Gid IPV4 = Gid.parse("::ffff:224.1.2.3");
    private static final Gid IPV6 = Gid.parse("ff0e::1:2:3");

    @Test
    @DisplayName("MC-01 a group is joined twice, by two queue pairs, and left once")
    void attach() {
        try (DatagramPair pair = new DatagramPair()) {
            for (Gid group : new Gid[] {IPV4, IPV6}) {
                pair.a.attachMcast(group, 0);
                pair.a.attachMcast(group, 0);
                pair.b.attachMcast(group, 0);
                pair.a.detachMcast(group, 0);
                VerbsException e =
                        assertThrows(VerbsException.class, () -> pair.a.detachMcast(group, 0));
                assertEquals(Errno.EINVAL, e.errno());
                pair.b.detachMcast(group, 0);
            }
        }
    }

    @Test
    @DisplayName("MC-02 a unicast GID and a connected queue pair are refused")
    void refused() {
        try (DatagramPair pair = new DatagramPair();
                LoopbackPair rc = LoopbackPair.connected()) {
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(VerbsException.class, () -> pair.a.attachMcast(pair.gid.gid(), 0))
                            .errno());
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(VerbsException.class, () -> rc.a.attachMcast(IPV4, 0)).errno());
            assertThrows(IllegalArgumentException.class, () -> pair.a.attachMcast(IPV4, 0x10000));
            pair.a.attachMcast(IPV4, 0xc000);
        }
    }

    @Test
    @DisplayName("MC-03 a queue pair leaves its groups when it closes")
    void closeLeaves() {
        try (DatagramPair pair = new DatagramPair()) {
            pair.a.attachMcast(IPV4, 0);
            pair.a.attachMcast(IPV6, 0);
            pair.a.close();
            assertFalse(pair.a.isOpen());
        }
    }

    @Test
    @DisplayName("MC-04 a datagram to a group reaches its members once the network was told")
    void send() throws Exception {
        try (DatagramPair pair = new DatagramPair();
                AddressHandle group = pair.pd.createAh(AhAttr.to(pair.gid, IPV4))) {
            pair.b.attachMcast(IPV4, 0);
            pair.postRecvB(1, 100);
            SendWr wr = pair.sendToB(4).ud(group, 0xffffff, DatagramPair.QKEY);
            pair.a.postSend(wr);
            pair.await(pair.cqA);
            pair.wc.checkSuccess(0);
            try (MulticastSocket membership = new MulticastSocket()) {
                membership.joinGroup(
                        new InetSocketAddress(InetAddress.getByName("224.1.2.3"), 0),
                        NetworkInterface.getByName(pair.gid.netDevice().orElseThrow()));
                pair.mr.segment().setString(DatagramPair.SEND_AT, "all");
                pair.a.postSend(wr);
                pair.await(pair.cqB);
                pair.wc.checkSuccess(0);
                assertEquals(Grh.BYTES + 4, pair.wc.byteLen(0));
                assertEquals("all", pair.mr.segment().getString(DatagramPair.RECV_AT + Grh.BYTES));
            }
        }
    }
}
