package io.github.verbs4j.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.MemoryWindow;
import io.github.verbs4j.MwBind;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendBatch;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.Mtu;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests of a DC initiator, each with its target. */
@Marshalling
class DciPostMarshallingTest {

    private static final long KEY = 0xfedc_ba98_7654_3210L;
    private static final RemoteBuffer BUFFER = new RemoteBuffer(0x1000, 0x100, 0x55);
    private static final Gid TARGET = Gid.parse("::ffff:10.0.0.7");
    private static final GidEntry GID =
            new GidEntry(TARGET, 3, 1, GidType.ROCE_V2, 0, Optional.empty());
    private static final QpAddress PEER =
            new QpAddress(0, 0xabcdef, 0, TARGET, GidType.ROCE_V2, Mtu.MTU_4096);

    private StandIn c;
    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private AddressHandle ah;

    @BeforeEach
    void open(StandIn standIn) {
        c = standIn;
        context = c.open();
        pd = context.allocPd();
        cq = context.createCq(16);
        ah = pd.createAh(AhAttr.to(GID, PEER));
    }

    @AfterEach
    void close() {
        context.close();
    }

    private DciInitAttr attr() {
        return new DciInitAttr(
                        cq,
                        SendOp.SEND,
                        SendOp.SEND_WITH_IMM,
                        SendOp.RDMA_WRITE,
                        SendOp.RDMA_READ,
                        SendOp.ATOMIC_FETCH_AND_ADD,
                        SendOp.LOCAL_INV)
                .maxInlineData(32);
    }

    private Dci ready(DciInitAttr attr) {
        c.answer("max_inline_data", 32);
        Dci dci = Mlx5.createDci(pd, attr);
        dci.activate(1);
        return dci;
    }

    private List<String> posted() {
        return c.calls().stream().filter(line -> line.startsWith("wr_")).toList();
    }

    @Test
    @DisplayName("each request carries its own target, between the operation and the data")
    void targets() {
        Dci dci = ready(attr());
        AddressHandle two = pd.createAh(AhAttr.to(GID, PEER));
        MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE);
        SendBatch batch = dci.qp().sendBatch(4);
        batch.wrId(7).rdmaWrite(BUFFER, 16).setSge(mr, 0, 64).setDcAddr(ah, 0xabcdef, KEY);
        batch.wrId(8)
                .wrFlags(0)
                .sendImm(0x11223344)
                .setDcAddr(two, 1, 2)
                .setInlineData(MemorySegment.ofArray(new byte[] {1, 2, 3}));
        batch.rdmaRead(BUFFER, 0).setDcAddr(two, 1, 2).setDcAddr(ah, 3, 4).setSge(mr, 0, 8);
        batch.atomicFetchAdd(BUFFER, 8, 5).setSge(mr, 8, 8).setDcAddr(ah, 3, 4);
        batch.complete();
        String expected =
                """
                wr_start(QP)
                wr_rdma_write(wr_id=0x7, wr_flags=0x2, rkey=0x55, remote_addr=0x1010)
                wr_set_dc_addr(QP, ah=ONE, remote_dctn=0xabcdef, remote_dc_key=0xfedcba9876543210)
                wr_set_sge(lkey=0x11223344, addr=some, length=64)
                wr_send_imm(wr_id=0x8, wr_flags=0, imm_data=11223344)
                wr_set_dc_addr(QP, ah=TWO, remote_dctn=0x1, remote_dc_key=0x2)
                wr_set_inline_data(010203)
                wr_rdma_read(wr_id=0x8, wr_flags=0, rkey=0x55, remote_addr=0x1000)
                wr_set_dc_addr(QP, ah=ONE, remote_dctn=0x3, remote_dc_key=0x4)
                wr_set_sge(lkey=0x11223344, addr=some, length=8)
                wr_atomic_fetch_add(wr_id=0x8, wr_flags=0, rkey=0x55, remote_addr=0x1008, add=0x5)
                wr_set_dc_addr(QP, ah=ONE, remote_dctn=0x3, remote_dc_key=0x4)
                wr_set_sge(lkey=0x11223344, addr=some, length=8)
                wr_complete(QP)
                """;
        assertEquals(
                expected.replace("QP", c.name(dci.qp().handle()))
                        .replace("ONE", c.name(ah.handle()))
                        .replace("TWO", c.name(two.handle()))
                        .lines()
                        .toList(),
                posted());
        ah.close(); // would wait for ever if posting had kept it entered
    }

    @Test
    @DisplayName("with streams a request may name one")
    void streams() {
        c.answer("max_log_num_concurent", 3);
        c.answer("max_log_num_errored", 2);
        Dci dci = ready(attr().streams(3, 2));
        assertEquals(
                "dci(comp_mask=0xa, create_flags=0, send_ops_flags=0, dc_type=2,"
                        + " log_num_concurent=3, log_num_errored=2)",
                c.call("dci"));
        dci.qp()
                .post(
                        batch ->
                                batch.send()
                                        .setDcAddrStream(ah, 0xabcdef, KEY, 65535)
                                        .send()
                                        .setDcAddrStream(ah, 1, 2, 5)
                                        .setDcAddr(ah, 3, 4));
        assertEquals(
                "wr_set_dc_addr_stream(%s, ah=%s, remote_dctn=0xabcdef, remote_dc_key=0x%x, stream_id=65535)"
                        .formatted(c.name(dci.qp().handle()), c.name(ah.handle()), KEY),
                c.call("wr_set_dc_addr_stream"));
        assertTrue(
                c.call("wr_set_dc_addr").endsWith("remote_dctn=0x3, remote_dc_key=0x4)"),
                "what was set last counts");
    }

    @Test
    @SuppressWarnings("try") // closing it early is the point
    @DisplayName("a stream is reset by its number")
    void streamIdReset() {
        try (Dci dci = ready(attr())) {
            dci.streamIdReset(65535);
            assertEquals(
                    "dci_stream_id_reset(" + c.name(dci.qp().handle()) + ", stream_id=65535)",
                    c.call("dci_stream_id_reset"));
            assertThrows(IllegalArgumentException.class, () -> dci.streamIdReset(65536));
            c.fail("dci_stream_id_reset", Errno.EINVAL);
            VerbsException e = assertThrows(VerbsException.class, () -> dci.streamIdReset(1));
            assertEquals(Errno.EINVAL, e.errno());
            dci.close();
            assertThrows(IllegalStateException.class, () -> dci.streamIdReset(1));
            assertEquals(2, c.calls("dci_stream_id_reset").size());
        }
    }

    @Test
    @DisplayName("more streams than the device has are refused, and any where it has none")
    void tooManyStreams() {
        DciInitAttr any = attr().streams(0, 0);
        UnsupportedVerbException e =
                assertThrows(UnsupportedVerbException.class, () -> Mlx5.createDci(pd, any));
        assertTrue(e.getMessage().contains("standin0 has no DCI streams"), e.getMessage());
        c.answer("max_log_num_concurent", 3);
        c.answer("max_log_num_errored", 2);
        DciInitAttr many = attr().streams(4, 2);
        assertThrows(IllegalArgumentException.class, () -> Mlx5.createDci(pd, many));
        DciInitAttr errored = attr().streams(3, 3);
        assertThrows(IllegalArgumentException.class, () -> Mlx5.createDci(pd, errored));
        assertEquals(List.of(), c.calls("create_dc"));
        SendBatch batch = ready(attr()).qp().sendBatch(1).send();
        assertThrows(IllegalStateException.class, () -> batch.setDcAddrStream(ah, 1, 2, 3));
    }

    @Test
    @DisplayName("a request without its target is refused, and so is a target that cannot be")
    void guards() {
        SendBatch batch = ready(attr()).qp().sendBatch(2);
        assertThrows(IllegalStateException.class, () -> batch.setDcAddr(ah, 1, 2));
        batch.send();
        assertThrows(IllegalStateException.class, batch::complete);
        batch.send();
        assertThrows(IllegalStateException.class, () -> batch.setUdAddr(ah, 1, 2));
        assertThrows(IllegalArgumentException.class, () -> batch.setDcAddr(ah, 1 << 24, 2));
        assertThrows(IllegalArgumentException.class, () -> batch.setDcAddr(ah, -1, 2));
        try (ProtectionDomain other = context.allocPd();
                AddressHandle theirs = other.createAh(AhAttr.to(GID, PEER))) {
            assertThrows(IllegalArgumentException.class, () -> batch.setDcAddr(theirs, 1, 2));
        }
        batch.setDcAddr(ah, 1, 2);
        ah.close();
        assertThrows(IllegalStateException.class, batch::complete);
        assertEquals(List.of(), posted());
    }

    @Test
    @DisplayName("a request that goes to no peer takes no target")
    void windows() {
        MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
        SendBatch batch = ready(attr()).qp().sendBatch(1).localInv(mw);
        assertThrows(IllegalStateException.class, () -> batch.setDcAddr(ah, 1, 2));
    }

    @Test
    @DisplayName("requests made of structures have no room for a target and are refused")
    void classicRequests() {
        Dci dci = ready(attr());
        assertThrows(IllegalStateException.class, () -> dci.qp().postSend(new SendWr(0)));
        assertThrows(IllegalStateException.class, () -> dci.qp().tryPostSend(new SendWr(0)));
        assertThrows(IllegalStateException.class, () -> dci.qp().postSend(new SendWrArray(2, 0)));
        assertThrows(IllegalStateException.class, () -> dci.qp().postRecv(new RecvWr(0)));
        assertThrows(IllegalStateException.class, () -> dci.qp().connect(GID, PEER));
        MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
        MemoryWindow mw = pd.allocMw(MwType.TYPE_1);
        MwBind bind = new MwBind(mr, AccessFlag.REMOTE_READ);
        assertThrows(
                IllegalStateException.class,
                () -> dci.qp().bindMw(mw, bind, 1, SendFlags.SIGNALED));
        assertEquals(List.of(), c.calls("post_send"));
        assertEquals(List.of(), c.calls("bind_mw"));
    }

    @Test
    @DisplayName("an initiator that is not active posts nothing")
    void states() {
        Dci dci = Mlx5.createDci(pd, attr());
        assertThrows(
                IllegalStateException.class,
                () -> dci.qp().post(batch -> batch.send().setDcAddr(ah, 1, 2)));
        assertEquals(List.of(), posted());
    }

    @Test
    @DisplayName("a full send queue leaves the batch, and a failure lets go of the address handle")
    void failures() {
        SendBatch batch = ready(attr()).qp().sendBatch(1).send().setDcAddr(ah, 1, 2);
        c.fail("wr_complete", Errno.ENOMEM);
        assertFalse(batch.tryComplete());
        c.fail("wr_complete", Errno.EINVAL);
        assertThrows(PostException.class, batch::tryComplete);
        c.fail("wr_complete", 0);
        assertTrue(batch.tryComplete());
        ah.close();
        assertEquals(3, c.calls("wr_set_dc_addr").size());
    }

    @Test
    @DisplayName(
            "nothing is left when C refuses to create one, and the exception says what was asked")
    void notCreated() {
        c.fail("create_dc", Errno.EINVAL);
        VerbsException e = assertThrows(VerbsException.class, () -> Mlx5.createDci(pd, attr()));
        assertEquals("mlx5dv_create_qp", e.verb());
        assertEquals(Errno.EINVAL, e.errno());
        assertTrue(e.getMessage().contains("max_send_wr 16"), e.getMessage());
        c.fail("create_dc", Errno.EOPNOTSUPP);
        assertThrows(UnsupportedVerbException.class, () -> Mlx5.createDci(pd, attr()));
        try (Context other = c.open();
                CompletionQueue theirs = other.createCq(1)) {
            DciInitAttr foreign = new DciInitAttr(theirs, SendOp.SEND);
            assertThrows(IllegalArgumentException.class, () -> Mlx5.createDci(pd, foreign));
        }
    }
}
