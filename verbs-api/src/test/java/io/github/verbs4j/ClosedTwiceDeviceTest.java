package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.SrqAttr;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** In C each of these destroyed twice, or used once more, ends the process. */
@RequiresDevice
class ClosedTwiceDeviceTest {

    @Test
    @DisplayName("R every object may be closed twice, and its makers after it")
    void everyObject() throws Exception {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            CompletionChannel channel = pair.context.createCompChannel();
            CompletionQueue onChannel = pair.context.createCq(new CqInitAttr(4).channel(channel));
            ProtectionDomain pd = pair.context.allocPd();
            AutoCloseable[] objects = {
                pair.a,
                pair.b,
                pair.mrA,
                pair.cqA,
                pair.pd.allocMw(MwType.TYPE_1),
                pair.pd.allocMw(MwType.TYPE_2),
                pair.pd.createSrq(new SrqInitAttr(4)),
                pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid())),
                onChannel,
                channel,
                pd.allocateMr(4096, LOCAL_WRITE),
                pd,
                pair.pd,
                pair.context,
            };
            for (AutoCloseable object : objects) {
                object.close();
                object.close();
            }
            // Also once their makers are gone, among them what they closed on their way.
            for (AutoCloseable object : objects) {
                object.close();
            }
            pair.mrB.close();
            pair.cqB.close();
            assertFalse(pair.mrB.isOpen() || pair.cqB.isOpen());
        }
    }

    @Test
    @DisplayName(
            "R what is closed refuses every call: shared receive queue, channel, window, address")
    void usedOnceMore() {
        try (LoopbackPair pair = LoopbackPair.connected()) {
            SharedReceiveQueue srq = pair.pd.createSrq(new SrqInitAttr(4));
            CompletionChannel channel = pair.context.createCompChannel();
            MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_1);
            AddressHandle ah = pair.pd.createAh(AhAttr.to(pair.gid, pair.gid.gid()));
            srq.close();
            channel.close();
            mw.close();
            ah.close();
            RecvWr wr = new RecvWr(1).sge(pair.mrA, 0, 8);
            RecvWrArray chain = new RecvWrArray(2, 1);
            Stream<Executable> calls =
                    Stream.of(
                            () -> srq.postRecv(wr),
                            () -> srq.tryPostRecv(wr),
                            () -> srq.postRecv(chain),
                            () -> srq.tryPostRecv(chain, 1),
                            srq::query,
                            () -> srq.modify(new SrqAttr().srqLimit(1)),
                            srq::handle,
                            () -> pair.pd.createQp(LoopbackPair.attr(pair.cqA).srq(srq)),
                            () -> channel.getCqEvent(Duration.ZERO),
                            channel::handle,
                            () -> pair.context.createCq(new CqInitAttr(4).channel(channel)),
                            () -> pair.a.bindMw(mw, new MwBind(pair.mrA), 0, 0),
                            mw::handle,
                            ah::handle);
            for (Executable call : calls.toList()) {
                String message = assertThrows(IllegalStateException.class, call).getMessage();
                assertTrue(message.contains("is closed"), message);
            }
            assertTrue(pair.a.isOpen() && pair.mrA.isOpen());
        }
    }
}
