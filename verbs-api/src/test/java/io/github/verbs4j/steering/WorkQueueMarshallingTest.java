package io.github.verbs4j.steering;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AsyncEvent;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AsyncEventType;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work queues, indirection tables and queue pairs that distribute packets by a hash. */
@Marshalling
class WorkQueueMarshallingTest {

    @Test
    @SuppressWarnings("try") // closing early is the point
    @DisplayName("a work queue carries its sizes, domain, completion queue and flags")
    void create(StandIn c) {
        c.answer("granted_wr", 128);
        c.answer("granted_sge", 4);
        c.answer("wq_num", 0xabc);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            WorkQueue wq =
                    WorkQueue.create(
                            new WqInitAttr(pd, cq)
                                    .maxWr(100)
                                    .maxSge(3)
                                    .createFlags(WqFlag.CVLAN_STRIPPING, WqFlag.DELAY_DROP));
            assertEquals(
                    "create_wq(wq_context=NULL, wq_type=0, max_wr=100, max_sge=3, pd=%s, cq=%s, comp_mask=0x1, create_flags=0x5)"
                            .formatted(c.name(pd.handle()), c.name(cq.handle())),
                    c.call("create_wq"));
            assertEquals(128, wq.maxWr());
            assertEquals(4, wq.maxSge());
            assertEquals(0xabc, wq.wqNum());
            assertEquals(WqState.RESET, wq.state());
            assertSame(context, wq.context());
            WorkQueue.create(new WqInitAttr(pd, cq));
            assertTrue(c.calls("create_wq").getLast().endsWith("comp_mask=0, create_flags=0)"));
            cq.close();
            assertFalse(wq.isOpen());
            assertEquals(2, c.calls("destroy_wq").size());
        }
    }

    @Test
    @DisplayName("a work queue changes state, from a state, and flags")
    void modify(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                WorkQueue wq = WorkQueue.create(new WqInitAttr(pd, cq))) {
            String name = c.name(wq.handle());
            wq.modify(WqState.RDY);
            assertEquals(WqState.RDY, wq.state());
            wq.modify(WqState.RDY, WqState.ERR);
            wq.modifyFlags(Set.of(WqFlag.SCATTER_FCS), Set.of(WqFlag.CVLAN_STRIPPING));
            assertEquals(
                    List.of(
                            "modify_wq(%s, attr_mask=0x1, wq_state=1, curr_wq_state=0, flags=0, flags_mask=0)"
                                    .formatted(name),
                            "modify_wq(%s, attr_mask=0x3, wq_state=2, curr_wq_state=1, flags=0, flags_mask=0)"
                                    .formatted(name),
                            "modify_wq(%s, attr_mask=0x4, wq_state=0, curr_wq_state=0, flags=0x2, flags_mask=0x3)"
                                    .formatted(name)),
                    c.calls("modify_wq"));
            c.fail("modify_wq", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> wq.modify(WqState.RESET));
            assertThrows(IllegalArgumentException.class, () -> wq.modify(WqState.UNKNOWN));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> wq.modifyFlags(Set.of(WqFlag.DELAY_DROP), Set.of(WqFlag.DELAY_DROP)));
            assertThrows(IllegalArgumentException.class, () -> wq.modifyFlags(Set.of(), Set.of()));
        }
    }

    @Test
    @SuppressWarnings("try") // closing early is the point
    @DisplayName("receives are posted through the queue's own function, one or a chain")
    void post(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                WorkQueue wq = WorkQueue.create(new WqInitAttr(pd, cq))) {
            MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE);
            String name = c.name(wq.handle());
            wq.postRecv(new RecvWr(1).wrId(7).sge(mr, 0, 100));
            RecvWrArray chain = new RecvWrArray(2, 1);
            chain.get(0).wrId(8);
            chain.get(1).wrId(9).sge(mr, 0, 200);
            wq.postRecv(chain);
            assertTrue(wq.tryPostRecv(new RecvWr(0).wrId(10)));
            assertEquals(1, wq.tryPostRecv(chain, 1));
            assertEquals(
                    List.of(
                            "post_wq_recv(%s, wr_id=0x7, num_sge=1, length=100)".formatted(name),
                            "post_wq_recv(%s, wr_id=0x8, num_sge=0, length=0)".formatted(name),
                            "post_wq_recv(%s, wr_id=0x9, num_sge=1, length=200)".formatted(name),
                            "post_wq_recv(%s, wr_id=0xa, num_sge=0, length=0)".formatted(name),
                            "post_wq_recv(%s, wr_id=0x8, num_sge=0, length=0)".formatted(name)),
                    c.calls("post_wq_recv"));
            c.fail("post_wq_recv", Errno.ENOMEM);
            assertFalse(wq.tryPostRecv(new RecvWr(0)));
            assertEquals(0, wq.tryPostRecv(chain, 2));
            PostException e = assertThrows(PostException.class, () -> wq.postRecv(chain));
            assertEquals("ibv_post_wq_recv", e.verb());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> wq.postRecv(new RecvWr(2).sge(0, mr, 0, 1).sge(1, mr, 0, 1)));
            wq.close();
            assertThrows(IllegalStateException.class, () -> wq.postRecv(chain));
            assertThrows(IllegalStateException.class, wq::state);
        }
    }

    @Test
    @DisplayName("an asynchronous event names the work queue, also one that is closed meanwhile")
    void event(StandIn c) throws Exception {
        c.answer("wq_num", 5);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            WorkQueue wq = WorkQueue.create(new WqInitAttr(pd, cq));
            int wqFatal = AsyncEventType.WQ_FATAL.value();
            c.raise(wqFatal, wq.handle().address());
            AsyncEvent.Wq event = (AsyncEvent.Wq) context.getAsyncEvent(Duration.ofSeconds(5));
            assertSame(wq, WorkQueue.of(event));
            assertEquals(5, event.wqNum());
            c.raise(wqFatal, wq.handle().address());
            wq.close();
            event = (AsyncEvent.Wq) context.getAsyncEvent(Duration.ofSeconds(5));
            assertSame(wq, WorkQueue.of(event));
        }
    }

    @Test
    @DisplayName("an indirection table lists its queues, and closes before them")
    void table(StandIn c) {
        c.answer("ind_tbl_num", 77);
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            WorkQueue a = WorkQueue.create(new WqInitAttr(pd, cq));
            WorkQueue b = WorkQueue.create(new WqInitAttr(pd, cq));
            RwqIndTable table = RwqIndTable.create(List.of(a, b, b, a));
            assertEquals(
                    "create_rwq_ind_table(log_ind_tbl_size=2, comp_mask=0)",
                    c.call("create_rwq_ind_table"));
            String first = "entry(" + c.name(a.handle()) + ")";
            String second = "entry(" + c.name(b.handle()) + ")";
            assertEquals(List.of(first, second, second, first), c.calls("entry"));
            assertEquals(77, table.indTblNum());
            assertEquals(List.of(a, b, b, a), table.entries());
            assertThrows(
                    IllegalArgumentException.class, () -> RwqIndTable.create(List.of(a, b, a)));
            assertThrows(IllegalArgumentException.class, () -> RwqIndTable.create(List.of()));
            b.close();
            assertFalse(table.isOpen());
            List<String> calls = c.calls();
            assertTrue(
                    calls.indexOf(c.call("destroy_rwq_ind_table"))
                            < calls.indexOf(c.call("destroy_wq")));
            assertTrue(a.isOpen());
        }
    }

    @Test
    @DisplayName("a queue pair that distributes has no queues, a table and a hash")
    void rss(StandIn c) {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16)) {
            WorkQueue wq = WorkQueue.create(new WqInitAttr(pd, cq));
            RwqIndTable table = RwqIndTable.create(List.of(wq));
            byte[] key = new byte[40];
            for (int i = 0; i < 40; i++) {
                key[i] = (byte) (0x80 + i);
            }
            RxHashConf hash =
                    new RxHashConf(
                            RxHashFunction.TOEPLITZ,
                            key,
                            RxHashField.SRC_IPV4,
                            RxHashField.DST_PORT_UDP,
                            RxHashField.INNER);
            assertArrayEquals(key, hash.key());
            RssQueuePair qp = RssQueuePair.create(pd, QpType.RAW_PACKET, table, hash);
            assertEquals(
                    "create_rss_qp(send_cq=NULL, recv_cq=NULL, srq=NULL, cap=0/0/0/0/0, qp_type=8, comp_mask=0x31, pd=%s, rwq_ind_tbl=%s, rx_hash_function=1, rx_hash_key=%s, rx_hash_fields_mask=0x80000081)"
                            .formatted(
                                    c.name(pd.handle()),
                                    c.name(table.handle()),
                                    java.util.HexFormat.of().formatHex(key)),
                    c.call("create_rss_qp"));
            assertEquals(0x123456, qp.qpNum());
            qp.modify(QpAttr.init(1));
            assertTrue(c.call("modify_qp").contains("qp_state=1"));
            c.fail("modify_qp", Errno.ENOSYS);
            assertThrows(UnsupportedVerbException.class, () -> qp.modify(QpAttr.init(1)));
            Flow flow = Flow.create(qp, new FlowAttr(FlowAttrType.SNIFFER));
            c.fail("create_rss_qp", Errno.EINVAL);
            assertThrows(
                    VerbsException.class,
                    () -> RssQueuePair.create(pd, QpType.RAW_PACKET, table, hash));
            table.close();
            assertFalse(flow.isOpen() || qp.isOpen());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new RxHashConf(RxHashFunction.TOEPLITZ, new byte[256]));
        }
    }
}
