package io.github.verbs4j.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Soft-RoCE cannot steer: each call says so, leaves nothing behind and harms nothing. */
@RequiresDevice(TestDevice.Kind.RXE)
class UnsupportedSteeringDeviceTest {

    private Context context;
    private ProtectionDomain pd;
    private CompletionQueue cq;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.RXE).open();
        pd = context.allocPd();
        cq = context.createCq(16);
    }

    @AfterEach
    void everythingStillWorks() {
        try (QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            qp.modify(QpAttr.init(1));
        }
        pd.close();
        cq.close(); // EBUSY if a call had left something behind
        context.close();
    }

    private static void isUnsupported(String verb, Executable call) {
        UnsupportedVerbException e = assertThrows(UnsupportedVerbException.class, call);
        assertEquals(Errno.EOPNOTSUPP, e.errno(), e.getMessage());
        assertEquals(verb, e.verb());
    }

    @Test
    @DisplayName("DEV-14 a work queue is EOPNOTSUPP")
    void workQueue() {
        isUnsupported("ibv_create_wq", () -> WorkQueue.create(new WqInitAttr(pd, cq)));
    }

    @Test
    @DisplayName("DEV-14 a flow is EOPNOTSUPP, and its queue pair closes as ever")
    void flow() {
        try (QueuePair qp = pd.createQp(new QpInitAttr(QpType.UD, cq))) {
            FlowAttr attr = new FlowAttr(FlowAttrType.NORMAL).spec(new EthSpec().etherType(0x800));
            isUnsupported("ibv_create_flow", () -> Flow.create(qp, attr));
            assertTrue(qp.isOpen());
        }
    }

    @Test
    @DisplayName("DEV-14 a flow action is EOPNOTSUPP")
    void flowAction() {
        isUnsupported(
                "ibv_create_flow_action_esp",
                () ->
                        FlowAction.createEsp(
                                context,
                                new FlowActionEspAttr()
                                        .keymat(new AesGcmKeymat(new byte[16], 0, 0, 16))));
    }

    @Test
    @DisplayName("DEV-14 counters are EOPNOTSUPP")
    void counters() {
        isUnsupported("ibv_create_counters", () -> Counters.create(context));
    }
}
