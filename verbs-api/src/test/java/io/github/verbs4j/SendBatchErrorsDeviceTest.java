package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the {@code ibv_wr_…} functions do not check, and the operations that few devices have. */
@RequiresDevice
class SendBatchErrorsDeviceTest {

    private ExtendedPair pair;

    @BeforeEach
    void open() {
        pair = ExtendedPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    @DisplayName("ER-21 an atomic on an address that is not a multiple of 8 fails at the peer")
    void misalignedAtomic(int offset) throws Exception {
        pair.mrB.segment().set(JAVA_LONG, 0, 77);
        pair.a
                .sendBatch(1)
                .wrId(3)
                .atomicFetchAdd(pair.mrB.remote(), offset, 1)
                .setSge(pair.mrA, 0, 8)
                .complete();
        pair.await(pair.cqA);
        assertEquals(3, pair.wc.wrId(0));
        assertEquals(WcStatus.REM_INV_REQ_ERR, pair.wc.status(0));
        assertEquals(QpState.ERR, pair.a.query().qpState());
        assertEquals(77, pair.mrB.segment().get(JAVA_LONG, 0));
    }

    @Test
    @DisplayName("ER-22 an atomic with room for 4 bytes is refused: rxe would change the peer's 8")
    void atomicWithShortElement() throws Exception {
        pair.mrB.segment().set(JAVA_LONG, 0, 77);
        SendBatch batch = pair.a.sendBatch(2);
        batch.atomicFetchAdd(pair.mrB.remote(), 0, 1).setSge(pair.mrA, 0, 4);
        assertThrows(IllegalStateException.class, batch::complete);
        batch.atomicFetchAdd(pair.mrB.remote(), 0, 1).setSge(pair.mrA, 0, 8).complete();
        pair.succeed(pair.cqA);
        assertEquals(78, pair.mrB.segment().get(JAVA_LONG, 0), "the second one only");
        assertEquals(77, pair.mrA.segment().get(JAVA_LONG, 0));
    }

    @Test
    @DisplayName("requests that one full queue takes bit by bit are each sent once, in order")
    void unevenBatchLargerThanTheQueue() throws Exception {
        int all = 40;
        try (ExtendedPair small = ExtendedPair.connected(cq -> cq, qp -> qp.maxSendWr(4))) {
            SendBatch batch = uneven(small, all);
            int taken = 0;
            List<Long> completed = new ArrayList<>();
            while (!batch.tryComplete()) {
                assumeTrue(TestDevice.isRxe(small.context), "others take all or none");
                assertTrue(batch.count() > 0 && batch.count() < all - taken, "none was taken");
                taken = all - batch.count();
                while (completed.size() < taken) {
                    small.succeed(small.cqA);
                    completed.add(small.wc.wrId(0));
                }
            }
            assertTrue(taken > 0, "the batch went out at once");
            while (completed.size() < all) {
                small.succeed(small.cqA);
                completed.add(small.wc.wrId(0));
            }
            assertEquals(LongStream.range(0, all).boxed().toList(), completed);
            assertEquals(0, small.cqA.poll(small.wc));
        }
    }

    @Test
    @DisplayName("an exception about a batch that went out in part names the first that did not")
    void partOfAnUnevenBatch() throws Exception {
        int all = 40;
        try (ExtendedPair small = ExtendedPair.connected(cq -> cq, qp -> qp.maxSendWr(4))) {
            SendBatch batch = uneven(small, all);
            PostException e = assertThrows(PostException.class, batch::complete);
            assertEquals(Errno.ENOMEM, e.errno());
            assertEquals(0, batch.count());
            assertEquals(TestDevice.isRxe(small.context), e.index() > 0);
            for (int i = 0; i < e.index(); i++) {
                small.succeed(small.cqA);
                assertEquals(i, small.wc.wrId(0));
            }
            assertEquals(0, small.cqA.poll(small.wc));
        }
    }

    private static SendBatch uneven(ExtendedPair pair, int count) {
        SendBatch batch = pair.a.sendBatch(count);
        for (int i = 0; i < count; i++) {
            batch.wrId(i)
                    .rdmaWrite(pair.mrB.remote(), 0)
                    .setSge(pair.mrA, 0, 4)
                    .addSge(pair.mrA, 8, 9);
        }
        return batch;
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOp.class,
            names = {"ATOMIC_WRITE", "FLUSH", "TSO"})
    @DisplayName("OP-10 an operation the device lacks is refused when the queue pair is made")
    void rareOperation(SendOp op) {
        QpInitAttrEx attr = new QpInitAttrEx(QpType.RC, pair.cqA).sendOps(op);
        try (QueuePairEx qp = pair.pd.createQpEx(attr)) {
            assertEquals(Set.of(op), qp.sendOps(), "a device that has it");
        } catch (UnsupportedVerbException e) {
            assertTrue(e.getMessage().contains(op.name()), e.getMessage());
        }
    }
}
