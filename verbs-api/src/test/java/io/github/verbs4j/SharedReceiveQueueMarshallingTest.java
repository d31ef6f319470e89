package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.SrqAttr;
import io.github.verbs4j.types.SrqType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Marshalling
class SharedReceiveQueueMarshallingTest {

    @Test
    @DisplayName("a basic queue goes to ibv_create_srq")
    void basic(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            pd.createSrq(new SrqInitAttr(100).maxSge(3).srqLimit(7));
            assertEquals(
                    "create_srq(pd=pd#1, max_wr=100, max_sge=3, srq_limit=7)",
                    c.call("create_srq"));
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("an XRC queue names its domain and completion queue, and has a number")
    void xrc(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                XrcDomain domain = context.openXrcd();
                SharedReceiveQueue srq =
                        pd.createSrq(new SrqInitAttr(100).maxSge(3).srqLimit(7).xrc(domain, cq))) {
            assertEquals(SrqType.XRC, srq.type());
            assertEquals(
                    "create_srq_ex(max_wr=100, max_sge=3, srq_limit=7, comp_mask=0xf, srq_type=1,"
                            + " pd=pd#1, xrcd=xrcd#3, cq=cq#2, max_num_tags=0, max_ops=0)",
                    c.call("create_srq_ex"));
            c.answer("srq_num", 0xfedcba98L);
            assertEquals(0xfedcba98, srq.srqNum());
            assertEquals("get_srq_num(srq#4)", c.call("get_srq_num"));
            srq.postRecv(new RecvWr(0).wrId(0x77));
            assertEquals("post_srq_recv(srq#4, wr_id=0x77, num_sge=0)", c.call("post_srq_recv"));
            domain.close();
            List<String> calls = c.calls();
            assertTrue(calls.indexOf("destroy_srq(srq#4)") < calls.indexOf("close_xrcd(xrcd#3)"));
            assertThrows(IllegalStateException.class, srq::srqNum);
        }
    }

    @Test
    @DisplayName("a queue with tag matching says how many tags and operations")
    void tagMatching(StandIn c) {
        c.answer("max_sge", 9);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq =
                        pd.createSrq(new SrqInitAttr(64).tagMatching(cq, 1000, 30))) {
            assertEquals(
                    "create_srq_ex(max_wr=64, max_sge=1, srq_limit=0, comp_mask=0x1b, srq_type=2,"
                            + " pd=pd#1, xrcd=NULL, cq=cq#2, max_num_tags=1000, max_ops=30)",
                    c.call("create_srq_ex"));
            assertEquals(9, srq.maxSge(), "what was granted");
        }
    }

    @Test
    @DisplayName("list operations reach C with every field, and the handle comes back")
    void operations(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE);
                SharedReceiveQueue srq =
                        pd.createSrq(new SrqInitAttr(64).tagMatching(cq, 1000, 30))) {
            c.answer("tm_handle", 0xfffffff0L);
            OpsWr add =
                    new OpsWr(2)
                            .wrId(0x1122334455667788L)
                            .flags(false, true)
                            .unexpectedCnt(5)
                            .tagAdd(0x8877665544332211L, 0xfedcba9876543210L, -1)
                            .sge(0, mr, 16, 100)
                            .sge(1, mr, 4000, 96);
            OpsWr delete = new OpsWr(0).wrId(2).tagDel(0x77);
            OpsWr sync = new OpsWr(0).wrId(3).flags(true, true).unexpectedCnt(6).tagSync();
            srq.postOps(add, delete, sync);
            assertEquals(
                    "tag_add(srq#4, wr_id=0x1122334455667788, flags=0x2, unexpected_cnt=5,"
                            + " recv_wr_id=0x8877665544332211, tag=0xfedcba9876543210,"
                            + " mask=0xffffffffffffffff, num_sge=2)",
                    c.call("tag_add"));
            assertEquals(
                    List.of(
                            String.format(
                                    "sge(addr=0x%x, length=100, lkey=0x11223344)",
                                    mr.address() + 16),
                            String.format(
                                    "sge(addr=0x%x, length=96, lkey=0x11223344)",
                                    mr.address() + 4000)),
                    c.calls("sge"));
            assertEquals("tag_del(srq#4, wr_id=0x2, flags=0x1, handle=0x77)", c.call("tag_del"));
            assertEquals(
                    "tag_sync(srq#4, wr_id=0x3, flags=0x3, unexpected_cnt=6)", c.call("tag_sync"));
            assertEquals(0xfffffff0, add.handle());
            srq.postOps(delete);
            assertEquals(2, c.calls("tag_del").size(), "alone, without what it was chained to");
            assertEquals(1, c.calls("tag_sync").size());
        }
    }

    @Test
    @DisplayName("a refused list operation is named")
    void refusedOperation(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq =
                        pd.createSrq(new SrqInitAttr(64).tagMatching(cq, 1000, 30))) {
            c.answer("bad_op", 2);
            c.fail("post_srq_ops", Errno.ENOMEM);
            PostException e =
                    assertThrows(
                            PostException.class,
                            () -> srq.postOps(new OpsWr(0), new OpsWr(0), new OpsWr(0)));
            assertEquals(Errno.ENOMEM, e.errno());
            assertEquals(2, e.index());
            OpsWr twice = new OpsWr(0);
            assertThrows(IllegalArgumentException.class, () -> srq.postOps(twice, twice));
            c.fail("post_srq_ops", Errno.EOPNOTSUPP);
            c.answer("bad_op", 0);
            assertThrows(UnsupportedVerbException.class, () -> srq.postOps(new OpsWr(0)));
            srq.postOps();
        }
    }

    @Test
    @DisplayName("a buffer to add has less than 4 GiB, all elements together")
    void longBuffer(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.allocateMr(1 << 26, AccessFlag.LOCAL_WRITE)) {
            OpsWr add = new OpsWr(64).tagAdd(1, 2, -1);
            for (int i = 0; i < 63; i++) {
                add.sge(i, mr, 0, 1 << 26);
            }
            add.sge(63, mr, 0, (1 << 26) - 1);
            assertThrows(IllegalArgumentException.class, () -> add.sge(63, mr, 0, 1 << 26));
            add.sge(0, mr, 0, 0).sge(63, mr, 0, 1 << 26);
        }
    }

    @Test
    @DisplayName("only what was set is modified; a query reads every field")
    void modifyAndQuery(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(64))) {
            srq.modify(new SrqAttr().srqLimit(5));
            srq.modify(new SrqAttr().maxWr(9));
            srq.modify(new SrqAttr().maxWr(10).srqLimit(4));
            assertEquals(
                    List.of(
                            "modify_srq(srq#2, max_wr=0, srq_limit=5, mask=0x2)",
                            "modify_srq(srq#2, max_wr=9, srq_limit=0, mask=0x1)",
                            "modify_srq(srq#2, max_wr=10, srq_limit=4, mask=0x3)"),
                    c.calls("modify_srq"));
            c.answer("max_wr", 11);
            c.answer("max_sge", 12);
            c.answer("srq_limit", 13);
            assertEquals("{max_wr=11, max_sge=12, srq_limit=13}", srq.query().toString());
        }
    }

    @Test
    @DisplayName("a failure carries errno and what was asked")
    void failure(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            c.fail("create_srq", Errno.ENOMEM);
            VerbsException e =
                    assertThrows(VerbsException.class, () -> pd.createSrq(new SrqInitAttr(4096)));
            assertEquals(Errno.ENOMEM, e.errno());
            assertTrue(e.getMessage().contains("max_wr 4096"), e.getMessage());
        }
    }
}
