package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ExtendedPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.WcStatus;
import java.util.Set;
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
