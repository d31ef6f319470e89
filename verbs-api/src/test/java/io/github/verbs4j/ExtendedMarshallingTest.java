package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpCreateFlag;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcExFlag;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Marshalling
class ExtendedMarshallingTest {

    private static final int WC_QP_NUM_AND_IMM = 0x6;

    @Test
    @DisplayName("a completion queue is made in a parent domain, with its flags")
    void queueInParentDomain(StandIn c) {
        try (Context context = c.open()) {
            ThreadDomain td = context.allocTd();
            ParentDomain parent = context.allocParentDomain(context.allocPd(), td);
            CqInitAttrEx attr =
                    new CqInitAttrEx(9)
                            .compVector(1)
                            .wcFlags(WcExFlag.COMPLETION_TIMESTAMP)
                            .singleThreaded(true)
                            .ignoreOverrun(true)
                            .parentDomain(parent);
            CompletionQueueEx cq = context.createCqEx(attr);
            assertEquals(
                    String.format(
                            "create_cq_ex(cqe=9, channel=NULL, comp_vector=1, wc_flags=%#x,"
                                    + " comp_mask=0x3, flags=0x3, parent_domain=%s)",
                            WcExFlag.COMPLETION_TIMESTAMP.value() | WC_QP_NUM_AND_IMM,
                            c.name(parent.handle())),
                    c.call("create_cq_ex"));
            assertEquals(parent, attr.parentDomain());

            td.close();
            assertFalse(cq.isOpen() || parent.isOpen(), "the queue closes before its domain");
            List<String> calls = c.calls();
            assertTrue(
                    calls.indexOf(c.call("destroy_cq")) < calls.indexOf(c.call("dealloc_pd")),
                    calls::toString);
            assertThrows(IllegalStateException.class, () -> context.createCqEx(attr));
        }
    }

    @Test
    @DisplayName("a completion queue without a parent domain says so, and a foreign one is refused")
    void foreignParentDomain(StandIn c) {
        try (Context context = c.open();
                Context other = c.open()) {
            context.createCqEx(new CqInitAttrEx(9).wcFlags(WcExFlag.QP_NUM));
            assertTrue(
                    c.call("create_cq_ex").endsWith("comp_mask=0, flags=0, parent_domain=NULL)"),
                    c.call("create_cq_ex"));
            ParentDomain foreign = other.allocParentDomain(other.allocPd(), null);
            CqInitAttrEx attr = new CqInitAttrEx(9).parentDomain(foreign);
            assertThrows(IllegalArgumentException.class, () -> context.createCqEx(attr));
            c.fail("create_cq_ex", Errno.EINVAL);
            VerbsException e = assertThrows(VerbsException.class, () -> other.createCqEx(attr));
            assertTrue(e.getMessage().contains("ParentDomain"), e.getMessage());
        }
    }

    @Test
    @SuppressWarnings("try") // closing the shared queue early is the point
    @DisplayName("every extension of a queue pair arrives, and its bit of comp_mask")
    void everyExtension(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4));
                QueuePairEx qp =
                        pd.createQpEx(
                                new QpInitAttrEx(QpType.RAW_PACKET, cq)
                                        .srq(srq)
                                        .maxSendWr(3)
                                        .createFlags(
                                                QpCreateFlag.SCATTER_FCS,
                                                QpCreateFlag.CVLAN_STRIPPING)
                                        .sourceQpn(0xabcdef)
                                        .maxTsoHeader(0xfffe)
                                        .sendOps(SendOp.SEND, SendOp.TSO))) {
            assertEquals(
                    "create_qp_ex(send_cq=%1$s, recv_cq=%1$s, srq=%2$s, cap=3/16/1/1/0, qp_type=8,"
                                    .formatted(c.name(cq.handle()), c.name(srq.handle()))
                            + " sq_sig_all=0, comp_mask=0x4d, pd="
                            + c.name(pd.handle())
                            + ", xrcd=NULL)",
                    c.call("create_qp_ex"));
            assertEquals(
                    String.format(
                            "extensions(create_flags=%#x, source_qpn=0xabcdef,"
                                    + " max_tso_header=65534, send_ops_flags=%#x)",
                            1 << 8 | 1 << 9 | 1 << 10, SendOp.SEND.value() | SendOp.TSO.value()),
                    c.call("extensions"));
            assertThrows(IllegalStateException.class, () -> qp.postRecv(new RecvWr(1)));
            qp.modify(QpAttr.of(QpState.INIT));
            qp.modify(QpAttr.of(QpState.RTR));
            qp.modify(QpAttr.of(QpState.RTS));
            qp.sendBatch(1)
                    .wrId(3)
                    .sendTso(MemorySegment.ofArray(new byte[] {1, 2, 3}), 0xff01)
                    .setSge(5, 4096, 77)
                    .complete();
            assertEquals(
                    "wr_send_tso(wr_id=0x3, wr_flags=0x2, hdr=010203, mss=65281)",
                    c.call("wr_send_tso"));
            assertEquals("wr_set_sge(lkey=0x5, addr=some, length=77)", c.call("wr_set_sge"));
            srq.close();
            assertFalse(qp.isOpen(), "the queue pair closes before what it receives from");
        }
    }

    @Test
    @DisplayName("an extended XRC sender has no receive queue, and each request names an SRQ")
    void xrcSender(StandIn c) {
        c.answer("srq_num", 0x00abcdef);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                XrcDomain domain = context.openXrcd();
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4).xrc(domain, cq));
                QueuePairEx qp =
                        pd.createQpEx(
                                QpInitAttrEx.xrcSend(cq).maxInlineData(8).sendOps(SendOp.SEND))) {
            assertTrue(
                    c.call("create_qp_ex")
                            .endsWith(
                                    "recv_cq=NULL, srq=NULL, cap=16/0/1/0/8, qp_type=9,"
                                            + " sq_sig_all=0, comp_mask=0x41, pd="
                                            + c.name(pd.handle())
                                            + ", xrcd=NULL)"),
                    c.call("create_qp_ex"));
            qp.modify(QpAttr.of(QpState.RTS));
            SendBatch batch = qp.sendBatch(2);
            batch.send();
            assertThrows(IllegalStateException.class, batch::complete, "names no SRQ");
            batch.wrId(1).send().setXrcSrqn(srq);
            batch.wrId(2).send().setXrcSrqn(0x654321);
            batch.setInlineData(MemorySegment.ofArray(new byte[] {7, 8})).complete();
            List<String> calls = c.calls();
            String name = c.name(qp.handle());
            assertEquals(
                    List.of(
                            "wr_start(" + name + ")",
                            "wr_send(wr_id=0x1, wr_flags=0x2)",
                            "wr_set_xrc_srqn(remote_srqn=0xabcdef)",
                            "wr_set_sge(lkey=0, addr=NULL, length=0)",
                            "wr_send(wr_id=0x2, wr_flags=0x2)",
                            "wr_set_xrc_srqn(remote_srqn=0x654321)",
                            "wr_set_inline_data(0708)",
                            "wr_complete(" + name + ")"),
                    calls.subList(calls.indexOf("wr_start(" + name + ")"), calls.size()));
            assertThrows(IllegalArgumentException.class, () -> batch.send().setXrcSrqn(1 << 24));
            c.fail("get_srq_num", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, () -> batch.setXrcSrqn(srq));
        }
    }

    @Test
    @SuppressWarnings("try") // closing the address handle early is the point
    @DisplayName("a datagram's address goes to C, and nothing is posted through a closed one")
    void datagram(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                AddressHandle ah = pd.createAh(new AhAttr().portNum(1));
                QueuePairEx qp =
                        pd.createQpEx(
                                new QpInitAttrEx(QpType.UD, cq).sendOps(SendOp.SEND_WITH_IMM))) {
            qp.modify(QpAttr.of(QpState.INIT));
            qp.modify(QpAttr.of(QpState.RTR));
            qp.modify(QpAttr.of(QpState.RTS));
            SendBatch batch = qp.sendBatch(1);
            batch.sendImm(0x01020304).setUdAddr(ah, 0xfffffe, 0x80000001).complete();
            assertEquals(
                    "wr_send_imm(wr_id=0, wr_flags=0x2, imm_data=01020304)", c.call("wr_send_imm"));
            assertEquals(
                    "wr_set_ud_addr(ah="
                            + c.name(ah.handle())
                            + ", remote_qpn=0xfffffe, remote_qkey=0x80000001)",
                    c.call("wr_set_ud_addr"));
            c.fail("wr_complete", Errno.EINVAL);
            batch.sendImm(1).setUdAddr(ah, 2, 3);
            assertThrows(PostException.class, batch::complete);
            batch.sendImm(1).setUdAddr(ah, 2, 3);
            ah.close();
            int before = c.calls("wr_start").size();
            assertThrows(IllegalStateException.class, batch::complete);
            assertEquals(before, c.calls("wr_start").size());
        }
    }
}
