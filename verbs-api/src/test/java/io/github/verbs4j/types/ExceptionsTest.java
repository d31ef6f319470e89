package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class ExceptionsTest {
    @Test
    void aFailedVerbIsNamedWithErrnoAndReason() {
        var e = new VerbsException("ibv_create_qp", 22, "max_inline_data 1024, device grants 220");
        assertEquals(
                "ibv_create_qp failed: EINVAL (22): max_inline_data 1024, device grants 220",
                e.getMessage());
        assertEquals("ibv_create_qp", e.verb());
        assertEquals(22, e.errno());
        assertEquals("EINVAL", e.errnoName());
    }

    @Test
    void whatIsNotKnownIsSaidOnce() {
        assertEquals(
                "ibv_poll_cq failed: errno unknown",
                new VerbsException("ibv_poll_cq", 0, "").getMessage());
        assertEquals(
                "ibv_poll_cq failed: errno 4711",
                new VerbsException("ibv_poll_cq", 4711, null).getMessage());
        assertEquals("errno unknown", new VerbsException("ibv_poll_cq", 0, "").errnoName());
    }

    @Test
    void anUnsupportedVerbKeepsItsCause() {
        Exception cause = new IllegalStateException("no symbol");
        var e =
                new UnsupportedVerbException(
                        "ibv_reg_dmabuf_mr", Errno.ENOSYS, "needs rdma-core 34", cause);
        assertEquals("ibv_reg_dmabuf_mr failed: ENOSYS (38): needs rdma-core 34", e.getMessage());
        assertSame(cause, e.getCause());
    }

    @Test
    void aPartlyPostedListSaysWhereItStopped() {
        var e = new PostException("ibv_post_send", Errno.ENOMEM, 3, "send queue full");
        assertEquals(3, e.index());
        assertEquals(
                "ibv_post_send failed: ENOMEM (12): request 3 of the list and those after it were"
                        + " not posted: send queue full",
                e.getMessage());
        assertEquals(
                "ibv_post_recv failed: errno unknown: which requests were posted is not known",
                new PostException("ibv_post_recv", 0, -1, "").getMessage());
    }

    @Test
    void aRequestPostedByItselfIsNoList() {
        var e = new PostException("ibv_post_send", Errno.ENOMEM, "send queue full");
        assertEquals(0, e.index());
        assertEquals(
                "ibv_post_send failed: ENOMEM (12): the request was not posted: send queue full",
                e.getMessage());
    }

    @Test
    void aFailedCompletionExplainsItsStatus() {
        var e = new WorkCompletionException(WcStatus.LOC_LEN_ERR, 1, 42, 0x11, 0x81);
        assertEquals(
                "work request 42 on queue pair 0x000011 failed: LOC_LEN_ERR (1), vendor error"
                        + " 0x81: "
                        + WcStatus.LOC_LEN_ERR.describe(),
                e.getMessage());
        assertEquals(42, e.wrId());
        assertEquals(0x11, e.qpNum());
        assertEquals(0x81, e.vendorErr());
        var found =
                new WorkCompletionException(WcStatus.UNRECOGNIZED, 99, 1, 2, 0, "the port is down");
        assertSame(WcStatus.UNRECOGNIZED, found.status());
        assertEquals(99, found.rawStatus());
        assertEquals(
                "work request 1 on queue pair 0x000002 failed: UNRECOGNIZED (99), vendor error"
                        + " 0x0: "
                        + WcStatus.UNRECOGNIZED.describe()
                        + " Found: the port is down",
                found.getMessage());
    }

    @Test
    void aRefusedStepNamesMissingAndDisallowedAttributes() {
        var e =
                new QpTransitionException(
                        22,
                        QpType.RC,
                        QpState.RESET,
                        QpState.INIT,
                        EnumSet.of(QpState.RESET, QpState.INIT),
                        EnumSet.of(QpAttrMask.ACCESS_FLAGS, QpAttrMask.PORT),
                        EnumSet.of(QpAttrMask.QKEY),
                        QpAttr.of(QpState.INIT).pkeyIndex(0).qkey(1));
        assertEquals(
                "ibv_modify_qp failed: EINVAL (22): RC queue pair, RESET to INIT, missing"
                        + " IBV_QP_ACCESS_FLAGS | IBV_QP_PORT, not allowed IBV_QP_QKEY; asked for"
                        + " {qp_state=INIT, pkey_index=0, qkey=0x00000001}",
                e.getMessage());
        assertEquals(EnumSet.of(QpAttrMask.ACCESS_FLAGS, QpAttrMask.PORT), e.missing());
        assertEquals(EnumSet.of(QpAttrMask.QKEY), e.disallowed());
        assertSame(QpType.RC, e.type());
        assertSame(QpState.RESET, e.from());
        assertSame(QpState.INIT, e.to());
    }

    @Test
    void anIllegalStepNamesTheLegalOnes() {
        var e =
                new QpTransitionException(
                        22,
                        QpType.UD,
                        QpState.RESET,
                        QpState.RTS,
                        EnumSet.of(QpState.RESET, QpState.INIT),
                        EnumSet.noneOf(QpAttrMask.class),
                        EnumSet.noneOf(QpAttrMask.class),
                        QpAttr.of(QpState.RTS));
        assertEquals(
                "ibv_modify_qp failed: EINVAL (22): UD queue pair, RESET to RTS is not a legal"
                        + " step, possible from RESET: RESET, INIT; asked for {qp_state=RTS}",
                e.getMessage());
    }

    @Test
    void exceptionsCanBeSerialised() throws IOException, ClassNotFoundException {
        var e =
                new QpTransitionException(
                        22,
                        QpType.RC,
                        QpState.INIT,
                        QpState.RTR,
                        EnumSet.of(QpState.RTR),
                        EnumSet.of(QpAttrMask.AV),
                        EnumSet.noneOf(QpAttrMask.class),
                        QpAttr.of(QpState.RTR));
        var out = new ByteArrayOutputStream();
        try (var objects = new ObjectOutputStream(out)) {
            objects.writeObject(e);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
            var copy = (QpTransitionException) in.readObject();
            assertEquals(e.getMessage(), copy.getMessage());
            assertEquals(e.missing(), copy.missing());
        }
    }
}
