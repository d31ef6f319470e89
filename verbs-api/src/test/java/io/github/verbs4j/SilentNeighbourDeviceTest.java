package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.Command;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Soft-RoCE on a cable of its own, at whose other end one address answers and others do not; root
 * only.
 */
@RequiresDevice(TestDevice.Kind.RXE)
class SilentNeighbourDeviceTest {

    private Context context;
    private ProtectionDomain pd;
    private GidEntry gid;

    @BeforeAll
    static void rootOnly() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root lays a cable");
    }

    @BeforeEach
    void open() throws Exception {
        Command.run("ip netns add v4j-far");
        Command.run("ip link add v4j-near type veth peer name v4j-end");
        Command.run("ip link set v4j-end netns v4j-far");
        Command.run("ip -n v4j-far addr add 10.79.0.2/24 dev v4j-end");
        Command.run("ip -n v4j-far link set v4j-end up");
        Command.run("ip addr add 10.79.0.1/24 dev v4j-near");
        Command.run("ip link set v4j-near up");
        Command.run("rdma link add v4jveth type rxe netdev v4j-near");
        context = Device.named("v4jveth").open();
        pd = context.allocPd();
        gid = context.defaultGid(1);
    }

    @AfterEach
    void close() throws Exception {
        if (context != null) {
            context.close();
        }
        Command.tryRun("rdma link delete v4jveth");
        Command.tryRun("ip link delete v4j-near");
        Command.tryRun("ip netns delete v4j-far");
    }

    private static Gid gid(String address) throws Exception {
        return Gid.of(InetAddress.getByName(address));
    }

    @Test
    @DisplayName("AH-02 an address handle for an address that does not answer says so")
    void addressHandle() throws Exception {
        AhAttr silent = AhAttr.to(gid, gid("10.79.0.9"));
        VerbsException e = assertThrows(VerbsException.class, () -> pd.createAh(silent));
        assertEquals(Errno.ETIMEDOUT, e.errno());
        assertTrue(e.getMessage().contains("no ARP answer"), e.getMessage());
        try (AddressHandle answered = pd.createAh(AhAttr.to(gid, gid("10.79.0.2")))) {
            assertTrue(answered.isOpen());
        }
    }

    @Test
    @DisplayName("ST-09 connecting to an address that does not answer says so; one that does works")
    void readyToReceive() throws Exception {
        try (CompletionQueue cq = context.createCq(4);
                QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            qp.modify(QpAttr.init(gid.port()));
            QpAddress here = qp.localAddress(gid);
            QpAttr silent = QpAttr.rtr(gid, here, peer(here, "10.79.0.9"));
            VerbsException e = assertThrows(VerbsException.class, () -> qp.modify(silent));
            assertEquals(Errno.ETIMEDOUT, e.errno());
            assertTrue(e.getMessage().contains("no ARP answer"), e.getMessage());
            assertEquals(QpState.INIT, qp.state());
            qp.modify(QpAttr.rtr(gid, here, peer(here, "10.79.0.2")));
            assertEquals(QpState.RTR, qp.state());
        }
    }

    private static QpAddress peer(QpAddress like, String address) throws Exception {
        return new QpAddress(
                like.lid(),
                like.qpNum(),
                like.psn(),
                gid(address),
                like.gidType(),
                like.activeMtu());
    }
}
