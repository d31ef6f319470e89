package io.github.verbs4j;

import static io.github.verbs4j.types.QpState.ERR;
import static io.github.verbs4j.types.WcStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WrOpcode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Requests that fail on both sides: by the exact status on rxe, by the specification elsewhere. */
abstract class FailedRequests {

    static final int BAD_KEY = 0x00bad001;
    static final Duration QUIET = Duration.ofMillis(50);

    LoopbackPair pair;
    boolean rxe;

    @BeforeEach
    void open() {
        pair = LoopbackPair.connected();
        rxe = TestDevice.isRxe(pair.context);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    SendWr request(WrOpcode opcode) {
        return new SendWr(1)
                .wrId(11)
                .opcode(opcode)
                .sge(pair.mrA, 0, 8)
                .remote(pair.mrB.remote(), 0)
                .compareAdd(1);
    }

    void recv(int count) {
        for (int i = 0; i < count; i++) {
            pair.b.postRecv(new RecvWr(1).wrId(100 + i).sge(pair.mrB, 0, 64));
        }
    }

    /** Posts, and expects a status of rxe, or of a set elsewhere; the rest must be flushed. */
    void assertFails(SendWr wr, WcStatus ofRxe, WcStatus... elsewhere) throws Exception {
        pair.a.postSend(wr);
        WorkCompletion failed = pair.completionA();
        assertEquals(11, failed.wrId());
        assertEquals(pair.a.qpNum(), failed.qpNum());
        if (rxe) {
            assertEquals(ofRxe, failed.status());
        } else {
            Set<WcStatus> allowed = EnumSet.of(ofRxe, elsewhere);
            assertTrue(allowed.contains(failed.status()), failed + " not in " + allowed);
        }
        assertEquals(ERR, pair.a.query().qpState());
        pair.a.postSend(new SendWr(1).wrId(12).send(pair.mrA, 0, 8));
        WorkCompletion flushed = pair.completionA();
        assertEquals(12, flushed.wrId());
        assertEquals(WR_FLUSH_ERR, flushed.status());
    }

    void assertResponder(QpState state) {
        assertTrue(pair.staysEmpty(pair.cqB, QUIET), "the peer must not be told");
        if (rxe) {
            assertEquals(state, pair.b.query().qpState());
        }
    }
}
