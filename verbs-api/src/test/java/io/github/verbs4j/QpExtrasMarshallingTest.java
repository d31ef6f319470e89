package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.Ece;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.ModerateCq;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Marshalling
class QpExtrasMarshallingTest {

    @Test
    @DisplayName("the moderation of a completion queue arrives, also values above 32767")
    void moderation(StandIn c) {
        try (Context context = c.open()) {
            CompletionQueue cq = context.createCq(4);
            cq.modify(new ModerateCq(0xfedc, 0xabcd));
            assertEquals(
                    "modify_cq(%s, attr_mask=0x1, cq_count=65244, cq_period=43981)"
                            .formatted(c.name(cq.handle())),
                    c.call("modify_cq"));
            fails(c, "modify_cq", () -> cq.modify(new ModerateCq(17, 35)), "17", "35");
        }
    }

    @Test
    @DisplayName("the limits of a queue pair's rate arrive, also values above 31 bits")
    void rateLimit(StandIn c) {
        try (Context context = c.open()) {
            QueuePair qp = queuePair(context);
            qp.modifyRateLimit(new QpRateLimit(0xfedcba98L, 0x87654321L, 0xabcd));
            assertEquals(
                    ("modify_qp_rate_limit(%s, rate_limit=4275878552, max_burst_sz=2271560481,"
                                    + " typical_pkt_sz=43981, comp_mask=0)")
                            .formatted(c.name(qp.handle())),
                    c.call("modify_qp_rate_limit"));
            Executable refused = () -> qp.modifyRateLimit(new QpRateLimit(11, 22, 33));
            fails(c, "modify_qp_rate_limit", refused, "11", "22", "33");
        }
    }

    @Test
    @DisplayName("vendor options of a connection go in and come out")
    void vendorOptions(StandIn c) {
        try (Context context = c.open()) {
            QueuePair qp = queuePair(context);
            qp.setEce(new Ece(0x15b3, 0x87654321, 0x40));
            assertEquals(
                    "set_ece(%s, vendor_id=0x15b3, options=0x87654321, comp_mask=0x40)"
                            .formatted(c.name(qp.handle())),
                    c.call("set_ece"));
            c.answer("vendor_id", 0x02c9);
            c.answer("options", 0xfedcba98L);
            c.answer("comp_mask", 0x8001);
            assertEquals(new Ece(0x02c9, 0xfedcba98, 0x8001), qp.queryEce());
            assertEquals("query_ece(%s)".formatted(c.name(qp.handle())), c.call("query_ece"));
            fails(c, "set_ece", () -> qp.setEce(new Ece(1, 2, 3)));
            fails(c, "query_ece", qp::queryEce);
        }
    }

    private static QueuePair queuePair(Context context) {
        return context.allocPd().createQp(new QpInitAttr(QpType.RC, context.createCq(4)));
    }

    private static void fails(StandIn c, String function, Executable call, String... values) {
        c.fail(function, Errno.EINVAL);
        VerbsException e = assertThrows(VerbsException.class, call);
        assertEquals(Errno.EINVAL, e.errno());
        assertEquals("ibv_" + function, e.verb());
        for (String value : values) {
            assertTrue(e.getMessage().contains(value), e.getMessage());
        }
    }
}
