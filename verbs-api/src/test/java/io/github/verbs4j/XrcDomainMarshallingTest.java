package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Marshalling
class XrcDomainMarshallingTest {

    @Test
    @DisplayName("a domain without a file is made anew")
    void anonymous(StandIn c) {
        try (Context context = c.open();
                XrcDomain domain = context.openXrcd()) {
            assertTrue(domain.isOpen());
            assertEquals(
                    "open_xrcd(comp_mask=0x3, file=none, inode=0, oflags=0100)",
                    c.call("open_xrcd"));
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("a domain of a file is opened by a descriptor of that file")
    void ofFile(StandIn c, @TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("domain"));
        try (Context context = c.open();
                XrcDomain domain = context.openXrcd(file, XrcDomain.O_CREAT | XrcDomain.O_EXCL)) {
            assertEquals(
                    "open_xrcd(comp_mask=0x3, file=open, inode="
                            + Files.getAttribute(file, "unix:ino")
                            + ", oflags=0300)",
                    c.call("open_xrcd"));
            domain.close();
            domain.close();
            assertEquals("close_xrcd(xrcd#1)", c.call("close_xrcd"));
            VerbsException e =
                    assertThrows(
                            VerbsException.class,
                            () -> context.openXrcd(folder.resolve("missing"), 0));
            assertEquals(Errno.ENOENT, e.errno());
            e = assertThrows(VerbsException.class, () -> context.openXrcd(1_000_000, 0));
            assertEquals(Errno.EBADF, e.errno());
            assertThrows(IllegalArgumentException.class, () -> context.openXrcd(0, 1));
            assertThrows(IllegalArgumentException.class, () -> context.openXrcd(-2, 0));
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("a receiving queue pair belongs to the domain only")
    void receivingQueuePair(StandIn c) {
        try (Context context = c.open();
                XrcDomain domain = context.openXrcd()) {
            QueuePair qp = domain.createRecvQp();
            assertEquals(
                    "create_qp_ex(send_cq=NULL, recv_cq=NULL, srq=NULL, cap=0/0/0/0/0, qp_type=10,"
                            + " sq_sig_all=0, comp_mask=0x2, pd=NULL, xrcd=xrcd#1)",
                    c.call("create_qp_ex"));
            assertEquals(0x123456, qp.qpNum());
            assertEquals(QpType.XRC_RECV, qp.qpType());
            assertNull(qp.pd());
            assertNull(qp.sendCq());
            assertEquals(context, qp.context());
            qp.modify(QpAttr.of(QpState.INIT));
            assertThrows(IllegalStateException.class, () -> qp.postRecv(new RecvWr(0)));
            assertThrows(IllegalStateException.class, () -> qp.postSend(new SendWr(0)));
            domain.close();
            assertFalse(qp.isOpen());
            assertTrue(
                    c.calls().indexOf("destroy_qp(qp#2)")
                            < c.calls().indexOf("close_xrcd(xrcd#1)"));
            assertThrows(IllegalStateException.class, domain::createRecvQp);
        }
    }

    @Test
    @DisplayName("another process's queue pair is opened by its number")
    void openQueuePair(StandIn c) {
        c.answer("qp_state", QpState.RTR.value());
        try (Context context = c.open();
                XrcDomain domain = context.openXrcd();
                QueuePair qp = domain.openQp(0xabcdef)) {
            assertEquals(
                    "open_qp(comp_mask=0xb, qp_num=0xabcdef, xrcd=xrcd#1, qp_type=10)",
                    c.call("open_qp"));
            assertEquals(0xabcdef, qp.qpNum());
            assertEquals(QpState.RTR, qp.state(), "as its creator left it");
            c.fail("open_qp", Errno.EINVAL);
            VerbsException e = assertThrows(VerbsException.class, () -> domain.openQp(1));
            assertTrue(e.getMessage().contains("0x000001"), e.getMessage());
        }
    }

    @Test
    @DisplayName("a sending queue pair has no receive queue, and each message names a shared one")
    void sendingQueuePair(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(QpInitAttr.xrcSend(cq).maxSendWr(5).maxSendSge(2))) {
            assertEquals(
                    "create_qp(pd=pd#1, send_cq=cq#2, recv_cq=NULL, srq=NULL, cap=5/0/2/0/0,"
                            + " qp_type=9, sq_sig_all=0)",
                    c.call("create_qp"));
            qp.modify(QpAttr.of(QpState.RTS));
            qp.postSend(new SendWr(0).wrId(7).xrcRemoteSrqn(0x9abcde));
            assertEquals(
                    "post_send(qp#3, wr_id=0x7, opcode=2, send_flags=0x2, num_sge=0, ud.ah=NULL,"
                            + " ud.remote_qpn=0, ud.remote_qkey=0, xrc.remote_srqn=0x9abcde)",
                    c.call("post_send"));
            assertThrows(IllegalStateException.class, () -> qp.postRecv(new RecvWr(0)));
        }
    }

    @Test
    @DisplayName("objects of another context are refused, and nothing is left when C fails")
    void refused(StandIn c) {
        try (Context context = c.open();
                Context other = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                CompletionQueue otherCq = other.createCq(16);
                XrcDomain domain = context.openXrcd();
                XrcDomain otherDomain = other.openXrcd()) {
            SrqInitAttr attr = new SrqInitAttr(4);
            assertThrows(
                    IllegalArgumentException.class, () -> pd.createSrq(attr.xrc(otherDomain, cq)));
            assertThrows(
                    IllegalArgumentException.class, () -> pd.createSrq(attr.xrc(domain, otherCq)));
            c.fail("create_qp_ex", Errno.ENOMEM);
            VerbsException e = assertThrows(VerbsException.class, domain::createRecvQp);
            assertEquals(Errno.ENOMEM, e.errno());
            c.fail("query_qp", Errno.EIO);
            assertThrows(VerbsException.class, () -> domain.openQp(5));
            assertEquals(1, c.calls("destroy_qp").size(), "what could not be asked is closed");
        }
    }
}
