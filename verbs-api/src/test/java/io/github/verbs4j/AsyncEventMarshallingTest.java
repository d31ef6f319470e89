package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AsyncEventType;
import io.github.verbs4j.types.QpType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Marshalling
class AsyncEventMarshallingTest {

    private static AsyncEvent get(Context context) throws InterruptedException {
        return context.getAsyncEvent(Duration.ZERO);
    }

    @ParameterizedTest(name = "{0} names its element and is acknowledged once")
    @EnumSource(AsyncEventType.class)
    void everyType(AsyncEventType type, StandIn c) throws Exception {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4));
                QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            int raw = type == AsyncEventType.UNRECOGNIZED ? 77 : type.value();
            AsyncEvent expected =
                    switch (type.element()) {
                        case QP -> new AsyncEvent.Qp(type, qp, qp.qpNum());
                        case CQ -> new AsyncEvent.Cq(type, cq);
                        case SRQ -> new AsyncEvent.Srq(type, srq);
                        case PORT -> new AsyncEvent.Port(type, 3);
                        case WQ -> new AsyncEvent.Wq(type, null, 0);
                        case DEVICE -> new AsyncEvent.Device(type, raw);
                    };
            long element =
                    switch (type.element()) {
                        case QP -> qp.handle().address();
                        case CQ -> cq.handle().address();
                        case SRQ -> srq.handle().address();
                        // Any memory of zeros that is as large.
                        case WQ -> qp.handle().address();
                        case PORT -> 3;
                        case DEVICE -> 0;
                    };
            c.raise(raw, element);
            AsyncEvent event = get(context);
            if (event instanceof AsyncEvent.Wq wq) {
                assertEquals(type, wq.type());
            } else {
                assertEquals(expected, event);
            }
            assertEquals("ack_async_event(event_type=" + raw + ")", c.call("ack_async_event"));
            assertNull(get(context));
        }
    }

    @Test
    @DisplayName("an event of an object that this library does not know still has its number")
    void unknownObject(StandIn c) throws Exception {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            context.asyncEvents().closing(qp.handle());
            c.raise(AsyncEventType.QP_FATAL.value(), qp.handle().address());
            assertEquals(new AsyncEvent.Qp(AsyncEventType.QP_FATAL, null, 0x123456), get(context));
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("events are acknowledged before their object is destroyed, and kept")
    void acknowledgedBeforeDestroy(StandIn c) throws Exception {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq))) {
            c.raise(AsyncEventType.QP_ACCESS_ERR.value(), qp.handle().address());
            c.raise(AsyncEventType.PORT_ERR.value(), 1);
            qp.close();
            List<String> calls = c.calls();
            assertTrue(
                    calls.indexOf("ack_async_event(event_type=3)")
                            < calls.indexOf("destroy_qp(" + "qp#3)"),
                    calls::toString);
            AsyncEvent.Qp event = assertInstanceOf(AsyncEvent.Qp.class, get(context));
            assertEquals(qp, event.qp());
            assertEquals(new AsyncEvent.Port(AsyncEventType.PORT_ERR, 1), get(context));
            assertNull(get(context));
        }
    }

    @Test
    @SuppressWarnings("try") // closing twice is the point
    @DisplayName("of events that nobody takes the newest are kept")
    void bounded(StandIn c) throws Exception {
        try (Context context = c.open();
                ProtectionDomain pd = context.allocPd()) {
            for (int i = 0; i < 10; i++) {
                CompletionQueue cq = context.createCq(16);
                for (int j = 0; j < 120; j++) {
                    c.raise(AsyncEventType.GID_CHANGE.value(), 1);
                }
                c.raise(AsyncEventType.LID_CHANGE.value(), i + 1);
                cq.close();
            }
            int taken = 0;
            AsyncEvent last = null;
            for (AsyncEvent event = get(context); event != null; event = get(context)) {
                last = event;
                taken++;
            }
            assertEquals(1024, taken, "of 1210");
            assertEquals(new AsyncEvent.Port(AsyncEventType.LID_CHANGE, 10), last);
            pd.close();
            context.close();
            assertThrows(IllegalStateException.class, () -> get(context));
        }
    }
}
