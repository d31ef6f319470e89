package io.github.verbs4j;

import static io.github.verbs4j.types.WcStatus.RETRY_EXC_ERR;
import static io.github.verbs4j.types.WcStatus.RNR_RETRY_EXC_ERR;
import static io.github.verbs4j.types.WcStatus.WR_FLUSH_ERR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AckTimeout;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RnrTimer;
import io.github.verbs4j.types.WcStatus;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that does not answer, or is not ready: the requester gives up after its retries. */
@RequiresDevice
class PeerLossDeviceTest {

    private static final Consumer<QpAttr> SHORT =
            attr -> attr.timeout(AckTimeout.of(1)).retryCnt(1);

    private LoopbackPair pair;

    @BeforeEach
    void open() {
        pair = new LoopbackPair(attr -> attr);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void assertLost(WcStatus status) throws Exception {
        SendWrArray chain = new SendWrArray(2, 1);
        chain.get(0).wrId(1).send(pair.mrA, 0, 8);
        chain.get(1).wrId(2).send(pair.mrA, 0, 8);
        pair.a.postSend(chain);
        WorkCompletion lost = pair.completionA();
        assertEquals(1, lost.wrId());
        assertEquals(status, lost.status());
        WorkCompletion flushed = pair.completionA();
        assertEquals(2, flushed.wrId());
        assertEquals(WR_FLUSH_ERR, flushed.status());
        assertEquals(QpState.ERR, pair.a.query().qpState());
    }

    @ParameterizedTest(name = "timeout {0}, retry_cnt {1}")
    @CsvSource({"1,1", "1,6", "10,1", "10,2", "12,3", "8,4", "8,5"})
    @DisplayName("ER-25 a peer in RESET: the request fails after its retries, the rest is flushed")
    void peerInReset(int timeout, int retries) throws Exception {
        pair.connect(
                pair.a, pair.b, attr -> attr.timeout(AckTimeout.of(timeout)).retryCnt(retries));
        assertLost(RETRY_EXC_ERR);
    }

    @ParameterizedTest(name = "timeout {0}, retry_cnt {1}")
    @CsvSource({"1,7", "0,3"})
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("ER-26 retry_cnt 7 and timeout 0 wait for ever on rxe; closing ends that")
    void waitsForEver(int timeout, int retries) {
        pair.connect(
                pair.a, pair.b, attr -> attr.timeout(AckTimeout.of(timeout)).retryCnt(retries));
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofSeconds(1)));
        assertEquals(QpState.RTS, pair.a.query().qpState());
        pair.a.close();
        assertFalse(pair.a.isOpen());
    }

    @Test
    @DisplayName("ER-27 a queue pair number that nobody has is a peer that does not answer")
    void noSuchQueuePair() throws Exception {
        pair.connect(pair.a, pair.b, SHORT.andThen(attr -> attr.destQpNum(0xfffff0)));
        assertLost(RETRY_EXC_ERR);
    }

    @Test
    @DisplayName("ER-28 a peer that is closed meanwhile does not answer")
    void closedPeer() throws Exception {
        pair.connect(pair.a, pair.b, SHORT);
        pair.connect(pair.b, pair.a);
        pair.b.close();
        assertLost(RETRY_EXC_ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INIT", "ERR"})
    @DisplayName("ER-28 a peer in INIT, or in ERR, with receives posted, does not answer")
    void peerNotReady(QpState state) throws Exception {
        pair.connect(pair.a, pair.b, SHORT);
        pair.b.modify(pair.steps(pair.b, pair.a).get(0));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        if (state == QpState.ERR) {
            pair.b.modify(QpAttr.of(QpState.ERR));
        }
        assertLost(RETRY_EXC_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 5000})
    @DisplayName("ER-29 packet numbers ahead of what the peer expects are never acknowledged")
    void packetNumbersAhead(int shift) throws Exception {
        pair.connect(
                pair.a,
                pair.b,
                SHORT.andThen(
                        attr -> {
                            if (attr.isSet(io.github.verbs4j.types.QpAttrMask.SQ_PSN)) {
                                attr.sqPsn(attr.sqPsn() + shift & 0xffffff);
                            }
                        }));
        pair.connect(pair.b, pair.a);
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        assertLost(RETRY_EXC_ERR);
        assertEquals(QpState.RTS, pair.b.query().qpState());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    @DisplayName("a peer without a receive: the request fails after rnr_retry, the peer lives")
    void noReceive(int rnrRetry) throws Exception {
        pair.connect(pair.a, pair.b, attr -> attr.rnrRetry(rnrRetry));
        pair.connect(pair.b, pair.a, attr -> attr.minRnrTimer(RnrTimer.MS_0_64));
        assertLost(RNR_RETRY_EXC_ERR);
        assertEquals(QpState.RTS, pair.b.query().qpState());
    }

    @Test
    @DisplayName("with rnr_retry 7 a request waits until the peer posts a receive")
    void receiveComesLate() throws Exception {
        pair.connect(pair.a, pair.b, LoopbackPair.PATIENT);
        pair.connect(pair.b, pair.a);
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
        assertTrue(pair.staysEmpty(pair.cqA, Duration.ofMillis(200)));
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.completionA().checkSuccess();
        assertEquals(8, pair.completionB().checkSuccess().byteLen());
    }

    @Test
    @DisplayName("ER-25 a queue pair that lost its peer works again after reset and reconnection")
    void reconnect() throws Exception {
        pair.connect(pair.a, pair.b, SHORT);
        assertLost(RETRY_EXC_ERR);
        pair.a.modify(QpAttr.of(QpState.RESET));
        pair.connect();
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        pair.a.postSend(new SendWr(1).send(pair.mrA, 0, 8));
        pair.completionA().checkSuccess();
        pair.completionB().checkSuccess();
    }
}
