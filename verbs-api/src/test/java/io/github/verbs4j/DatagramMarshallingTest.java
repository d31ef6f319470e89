package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GlobalRoute;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.Rate;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the provider sees of datagrams, in fields that Soft-RoCE does not show. */
@Marshalling
class DatagramMarshallingTest {

    private static final AhAttr ADDRESS =
            new AhAttr()
                    .portNum(1)
                    .dlid(0xfffe)
                    .sl(9)
                    .srcPathBits(100)
                    .staticRate(Rate.GBPS_100)
                    .grh(
                            new GlobalRoute(
                                    Gid.parse("fe80::1122:3344:5566:7788"),
                                    0xabcde,
                                    250,
                                    199,
                                    0xfd));

    private static QueuePair ready(ProtectionDomain pd, CompletionQueue cq) {
        QueuePair qp = pd.createQp(new QpInitAttr(QpType.UD, cq).maxInlineData(16));
        qp.activateUd(1, 5);
        return qp;
    }

    @Test
    @DisplayName("an address handle is made of every field")
    void addressHandle(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            pd.createAh(ADDRESS);
            assertEquals(
                    "create_ah(pd=pd#1, dgid=fe800000000000001122334455667788,"
                            + " flow_label=0xabcde, sgid_index=250, hop_limit=199,"
                            + " traffic_class=253, dlid=65534, sl=9, src_path_bits=100,"
                            + " static_rate=16, is_global=1, port_num=1)",
                    c.call("create_ah"));
        }
    }

    @Test
    @DisplayName("a UD queue pair goes through INIT and RTR to RTS")
    void states(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            ready(pd, cq);
            assertEquals(
                    List.of(
                            "modify_qp(qp#3, attr_mask=0x71, qp_state=1)",
                            "modify_qp(qp#3, attr_mask=0x1, qp_state=2)",
                            "modify_qp(qp#3, attr_mask=0x10001, qp_state=3)"),
                    c.calls("modify_qp"));
        }
    }

    @Test
    @DisplayName("each datagram names its own destination, also in a chain and with inline data")
    void sends(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            QueuePair qp = ready(pd, cq);
            AddressHandle one = pd.createAh(ADDRESS);
            AddressHandle two = pd.createAh(ADDRESS);
            SendWrArray chain = new SendWrArray(3, 1);
            chain.get(0).wrId(1).ud(one, 0x123456, 0x89abcdef);
            chain.get(1)
                    .wrId(2)
                    .opcode(WrOpcode.SEND_WITH_IMM)
                    .ud(two, 0xffffff, 7)
                    .sge(0, MemorySegment.ofArray(new byte[16]))
                    .sendFlags(SendFlags.INLINE);
            chain.get(2).wrId(3).ud(one, 1, 2);
            qp.postSend(chain);
            qp.postSend(chain.get(1));
            String first =
                    "post_send(qp#3, wr_id=0x1, opcode=2, send_flags=0x2, num_sge=0, ud.ah=ah#4,"
                            + " ud.remote_qpn=0x123456, ud.remote_qkey=0x89abcdef,"
                            + " xrc.remote_srqn=0)";
            String second =
                    "post_send(qp#3, wr_id=0x2, opcode=3, send_flags=0x8, num_sge=1, ud.ah=ah#5,"
                            + " ud.remote_qpn=0xffffff, ud.remote_qkey=0x7, xrc.remote_srqn=0)";
            String third =
                    "post_send(qp#3, wr_id=0x3, opcode=2, send_flags=0x2, num_sge=0, ud.ah=ah#4,"
                            + " ud.remote_qpn=0x1, ud.remote_qkey=0x2, xrc.remote_srqn=0)";
            assertEquals(List.of(first, second, third, second), c.calls("post_send"));
        }
    }

    @Test
    @DisplayName("a refused datagram lets go of its address handle, and a chain says which it was")
    void refused(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            QueuePair qp = ready(pd, cq);
            AddressHandle ah = pd.createAh(ADDRESS);
            SendWr wr = new SendWr(0).ud(ah, 1, 2);
            c.fail("post_send", Errno.EINVAL);
            assertThrows(PostException.class, () -> qp.postSend(wr));
            SendWrArray chain = new SendWrArray(2, 0);
            chain.get(0).ud(ah, 1, 2);
            chain.get(1).ud(ah, 1, 2);
            PostException e = assertThrows(PostException.class, () -> qp.postSend(chain));
            assertEquals(0, e.index());
            ah.close(); // would wait for ever if one of them had kept it entered
            assertThrows(IllegalStateException.class, () -> qp.postSend(wr));
        }
    }
}
