package io.github.verbs4j;

import static io.github.verbs4j.types.QpState.INIT;
import static io.github.verbs4j.types.QpState.RESET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GlobalRoute;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Addresses and ports that a queue pair is not to be connected by. */
@RequiresDevice
class QpAddressDeviceTest {

    private LoopbackPair pair;
    private QueuePair qp;

    @BeforeEach
    void open() {
        pair = new LoopbackPair(attr -> attr);
        qp = pair.a;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private VerbsException refusedRtr(AhAttr address) {
        List<QpAttr> steps = pair.steps(qp, pair.b);
        qp.modify(steps.get(0));
        QpAttr rtr = steps.get(1).ahAttr(address);
        VerbsException e = assertThrows(VerbsException.class, () -> qp.modify(rtr));
        assertEquals(INIT, qp.query().qpState());
        return e;
    }

    private GlobalRoute route(int sgidIndex, Gid dgid) {
        return new GlobalRoute(dgid, 0, sgidIndex, 64, 0);
    }

    @Test
    @DisplayName("ST-08 RTR without a global route is refused on RoCE, and the message says why")
    void noGrh() {
        VerbsException e = refusedRtr(new AhAttr().portNum(1));
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("GRH"), e.getMessage());
    }

    @Test
    @DisplayName("ST-08 RTR from an empty GID index is refused, naming the index")
    void emptyGidIndex() {
        VerbsException e = refusedRtr(new AhAttr().portNum(1).grh(route(200, pair.gid.gid())));
        if (TestDevice.isRxe(pair.context)) {
            assertEquals(Errno.ENODATA, e.errno());
            assertTrue(e.getMessage().contains("GID index 200 is empty"), e.getMessage());
        }
    }

    @Test
    @DisplayName("ST-08 RTR to the zero GID is refused")
    void zeroGid() {
        VerbsException e =
                refusedRtr(new AhAttr().portNum(1).grh(route(pair.gid.index(), Gid.of(0, 0))));
        assertEquals(Errno.EINVAL, e.errno());
    }

    @Test
    @DisplayName("ST-08 RTR with GIDs of two families is refused")
    void mixedFamilies() {
        Gid linkLocal = Gid.parse("fe80::1");
        VerbsException e =
                refusedRtr(new AhAttr().portNum(1).grh(route(pair.gid.index(), linkLocal)));
        assertTrue(e.errno() > 0, e.getMessage());
    }

    @Test
    @DisplayName("ST-08 an address on a port that does not exist is refused")
    void addressOnOtherPort() {
        VerbsException e =
                refusedRtr(new AhAttr().portNum(2).grh(route(pair.gid.index(), pair.gid.gid())));
        assertEquals(Errno.EINVAL, e.errno());
    }

    @Test
    @DisplayName("ST-08 INIT on a port that does not exist is refused by the port's range")
    void initOnOtherPort() {
        int ports = pair.context.queryDevice().physPortCnt();
        String message =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> qp.modify(QpAttr.init(ports + 1)))
                        .getMessage();
        assertTrue(message.contains("port_num"), message);
        assertEquals(RESET, qp.state());
    }
}
