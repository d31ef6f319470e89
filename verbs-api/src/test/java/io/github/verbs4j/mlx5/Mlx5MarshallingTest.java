package io.github.verbs4j.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.OdpTransportCap;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Both halves of the dynamically connected transport as the mlx5 provider sees them. */
@Marshalling
class Mlx5MarshallingTest {

    private static final long KEY = 0xfedc_ba98_7654_3210L;

    private static final GidEntry GID =
            new GidEntry(Gid.parse("::ffff:10.0.0.7"), 3, 1, GidType.ROCE_V2, 0, Optional.empty());

    private static List<String> steps(StandIn c) {
        return c.calls().stream().filter(l -> l.matches("(modify_qp|to_.*)\\(.*")).toList();
    }

    private static void assertUnsupported(StandIn c, String verb, Runnable call) {
        UnsupportedVerbException e = assertThrows(UnsupportedVerbException.class, call::run);
        assertEquals(Errno.EOPNOTSUPP, e.errno());
        assertEquals(verb, e.verb());
        assertTrue(e.getMessage().contains("standin0 is not an mlx5 device"), e.getMessage());
        assertEquals(List.of(), c.calls("create_dc"));
        assertEquals(List.of(), c.calls("query_device"));
    }

    @Test
    @DisplayName("a device is asked whether it is one of mlx5")
    void isSupported(StandIn c) {
        assertTrue(Mlx5.isSupported(Device.first()));
        assertEquals("is_supported(standin0)", c.call("is_supported"));
        c.answer("is_supported", 0);
        assertFalse(Mlx5.isSupported(Device.first()));
    }

    @Test
    @DisplayName("on another device each call says so, before mlx5 sees anything")
    void anotherDevice(StandIn c) {
        c.answer("is_supported", 0);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4))) {
            DciInitAttr attr = new DciInitAttr(cq, SendOp.SEND).streams(1, 1);
            assertUnsupported(c, "mlx5dv_query_device", () -> Mlx5.queryDcCaps(context));
            assertUnsupported(c, "mlx5dv_create_qp", () -> Mlx5.createDci(pd, attr));
            assertUnsupported(c, "mlx5dv_create_qp", () -> Mlx5.createDct(pd, cq, srq, KEY));
        }
    }

    @Test
    @DisplayName("capabilities are read back; what an older provider does not know is none")
    void capabilities(StandIn c) {
        c.answer("dc_odp_caps", 1 | 1 << 2);
        c.answer("max_log_num_concurent", 200);
        c.answer("max_log_num_errored", 7);
        try (Context context = c.open()) {
            DcCaps caps = Mlx5.queryDcCaps(context);
            assertEquals(new DcCaps(OdpTransportCap.of(1 | 1 << 2), 200, 7), caps);
            assertTrue(caps.hasStreams());
            assertEquals("query_device(standin0, comp_mask=0x880)", c.call("query_device"));
            c.answer("comp_mask", 0);
            assertEquals(new DcCaps(Set.of(), 0, 0), Mlx5.queryDcCaps(context));
            assertFalse(Mlx5.queryDcCaps(context).hasStreams());
            c.fail("query_device", Errno.EIO);
            VerbsException e = assertThrows(VerbsException.class, () -> Mlx5.queryDcCaps(context));
            assertEquals(Errno.EIO, e.errno());
        }
    }

    @Test
    @SuppressWarnings("try") // closing it early is the point
    @DisplayName("an initiator is created with every field, and without a receive queue")
    void createDci(StandIn c) {
        c.answer("max_inline_data", 96);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                Dci dci =
                        Mlx5.createDci(
                                pd,
                                new DciInitAttr(cq, SendOp.RDMA_WRITE, SendOp.SEND)
                                        .maxSendWr(33)
                                        .maxSendSge(3)
                                        .maxInlineData(64)
                                        .sqSigAll(true))) {
            assertEquals(
                    "create_dc(send_cq=cq#2, recv_cq=cq#2, srq=NULL, cap=33/0/3/0/64, qp_type=255,"
                            + " sq_sig_all=1, comp_mask=0x41, pd=pd#1, send_ops_flags=0x5)",
                    c.call("create_dc"));
            assertEquals(
                    "dci(comp_mask=0x2, create_flags=0, send_ops_flags=0, dc_type=2,"
                            + " log_num_concurent=0, log_num_errored=0)",
                    c.call("dci"));
            assertEquals(QpType.DRIVER, dci.qp().qpType());
            assertEquals(0x123456, dci.qp().qpNum());
            assertEquals(96, dci.qp().cap().maxInlineData());
            pd.close();
            assertFalse(dci.isOpen());
            assertEquals("destroy_qp(qp#3)", c.call("destroy_qp"));
        }
    }

    @Test
    @DisplayName("a refused step of an initiator says which attribute is missing")
    void refusedStep(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                Dci dci = Mlx5.createDci(pd, new DciInitAttr(cq, SendOp.SEND))) {
            c.fail("modify_qp", Errno.EINVAL);
            QpTransitionException e =
                    assertThrows(
                            QpTransitionException.class,
                            () -> dci.qp().modify(QpAttr.of(QpState.INIT).portNum(1)));
            assertEquals(EnumSet.of(QpAttrMask.PKEY_INDEX), e.missing());
            assertEquals(QpType.DRIVER, e.type());
            assertTrue(e.getMessage().contains("DCI queue pair, RESET to INIT"), e.getMessage());
        }
    }

    @Test
    @SuppressWarnings("try") // closing it early is the point
    @DisplayName(
            "a target is created with its key and a shared receive queue, which it outlives not")
    void createDct(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4));
                Dct dct = Mlx5.createDct(pd, cq, srq, KEY)) {
            assertEquals(
                    "create_dc(send_cq=cq#2, recv_cq=cq#2, srq=srq#3, cap=0/0/0/0/0, qp_type=255,"
                            + " sq_sig_all=0, comp_mask=0x1, pd=pd#1, send_ops_flags=0)",
                    c.call("create_dc"));
            assertEquals(
                    "dct(comp_mask=0x2, create_flags=0, send_ops_flags=0,"
                            + " access_key=0xfedcba9876543210)",
                    c.call("dct"));
            assertEquals(KEY, dct.accessKey());
            srq.close();
            assertFalse(dct.isOpen());
            List<String> calls = c.calls();
            assertTrue(calls.indexOf("destroy_qp(qp#4)") < calls.indexOf("destroy_srq(srq#3)"));
        }
    }

    @Test
    @DisplayName("an initiator goes to RTS with the attributes that the transport has")
    void activateDci(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                Dci dci = Mlx5.createDci(pd, new DciInitAttr(cq, SendOp.SEND))) {
            dci.activate(1);
            assertEquals(
                    List.of(
                            "modify_qp(qp#3, attr_mask=0x31, qp_state=1)",
                            "to_init(port_num=1, pkey_index=0, access=0)",
                            "modify_qp(qp#3, attr_mask=0x101, qp_state=2)",
                            "to_rtr(path_mtu=5, dgid=00000000000000000000000000000000, dlid=0,"
                                    + " sgid_index=0, is_global=0, port_num=0, min_rnr_timer=0)",
                            "modify_qp(qp#3, attr_mask=0x12e01, qp_state=3)",
                            "to_rts(timeout=14, retry_cnt=6, rnr_retry=7, max_rd_atomic=16)"),
                    steps(c));
            assertEquals(QpState.RTS, dci.qp().state());
            assertThrows(IllegalArgumentException.class, () -> dci.activate(2));
        }
    }

    @Test
    @DisplayName("a target goes to RTR, and has its number only then")
    void activateDct(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4));
                Dct dct = Mlx5.createDct(pd, cq, srq, KEY)) {
            assertThrows(IllegalStateException.class, dct::dctNum);
            dct.activate(GID, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
            assertEquals(
                    List.of(
                            "modify_qp(qp#4, attr_mask=0x39, qp_state=1)",
                            "to_init(port_num=1, pkey_index=0, access=0x6)",
                            "modify_qp(qp#4, attr_mask=0x8181, qp_state=2)",
                            "to_rtr(path_mtu=5, dgid=00000000000000000000ffff0a000007, dlid=0,"
                                    + " sgid_index=3, is_global=1, port_num=1, min_rnr_timer=12)"),
                    steps(c));
            assertEquals(0xabcdef, dct.dctNum());
            assertEquals(0xabcdef, dct.qp().localAddress(GID).qpNum());
            assertThrows(IllegalStateException.class, () -> dct.qp().postSend(new SendWr(0)));
            assertThrows(IllegalStateException.class, () -> dct.qp().postRecv(new RecvWr(0)));
        }
    }
}
