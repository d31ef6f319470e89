package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What must not reach Soft-iWARP. In ERR it takes posts without a connection. */
@RequiresDevice(TestDevice.Kind.SIW)
class SiwPostDeviceTest {

    @Test
    @DisplayName("K-5 an empty element before another is refused: it would bring down the kernel")
    void emptyElement() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            ProtectionDomain pd = siw.allocPd();
            MemoryRegion mr = pd.allocateMr(4096);
            CompletionQueue cq = siw.createCq(16);
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq).maxSendSge(3));
            qp.modify(QpAttr.of(QpState.INIT));
            qp.modify(QpAttr.of(QpState.ERR));
            SendWr between = new SendWr(3).sge(0, mr, 0, 8).sge(1, mr, 8, 0).sge(2, mr, 8, 8);
            assertThrows(IllegalArgumentException.class, () -> qp.postSend(between));
            SendWr first = new SendWr(2).sge(0, mr, 0, 0).sge(1, mr, 8, 8);
            assertThrows(IllegalArgumentException.class, () -> qp.postSend(first));
            SendWrArray chain = new SendWrArray(2, 3);
            chain.get(0).sge(mr, 0, 8);
            chain.get(1).sge(0, mr, 0, 8).sge(1, mr, 8, 0).sge(2, mr, 8, 8);
            assertThrows(IllegalArgumentException.class, () -> qp.postSend(chain));
        }
    }

    @Test
    @DisplayName("PO-06 R an errno that siw returns negated is told by its name")
    void negativeErrno() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            ProtectionDomain pd = siw.allocPd();
            CompletionQueue cq = siw.createCq(16);
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
            qp.modify(QpAttr.of(QpState.INIT));
            RecvWr empty = new RecvWr(0);
            PostException one = assertThrows(PostException.class, () -> qp.postRecv(empty));
            assertEquals(Errno.EINVAL, one.errno());
            assertTrue(one.getMessage().contains("without elements"), one.getMessage());
            RecvWrArray chain = new RecvWrArray(2, 0);
            PostException many = assertThrows(PostException.class, () -> qp.postRecv(chain));
            assertEquals(Errno.EINVAL, many.errno());
            assertEquals(0, many.index());
        }
    }

    @Test
    @DisplayName(
            "a context of siw makes a hundred queue pairs, past the offset its library refuses")
    void manyQueuePairs() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            ProtectionDomain pd = siw.allocPd();
            for (int i = 0; i < 100; i++) {
                CompletionQueue cq = siw.createCq(16);
                assertTrue(pd.createQp(new QpInitAttr(QpType.RC, cq)).isOpen(), "number " + i);
            }
        }
    }
}
