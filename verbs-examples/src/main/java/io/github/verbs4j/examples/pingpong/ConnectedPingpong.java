package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.examples.wire.Rendezvous;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.SendFlags;
import java.util.List;
import picocli.CommandLine.Mixin;

/** What the ping-pong tools of RC and UC have in common: all but the kind of queue pair. */
abstract class ConnectedPingpong {

    @Mixin PingpongOptions options;
    @Mixin ExchangeOptions exchange;
    @Mixin MessageOptions message;

    /** Creates the queue pair that completes into this queue. */
    abstract QueuePair createQp(ProtectionDomain pd, Completions completions);

    final void pingpong() throws Exception {
        try (Rendezvous rendezvous = options.rendezvous();
                Context context = options.device.open();
                ProtectionDomain pd = context.allocPd()) {
            pingpong(pd, rendezvous);
        }
    }

    // @start region=rc-pingpong
    private void pingpong(ProtectionDomain pd, Rendezvous rendezvous) throws Exception {
        try (PingpongBuffer buffer = new PingpongBuffer(pd, message.size);
                Completions completions = completions(pd, exchange.rxDepth + 1);
                QueuePair qp = createQp(pd, completions)) {
            RecvWr receive =
                    new RecvWr(1).wrId(PingpongLoop.RECV).sge(buffer.mr(), 0, message.size);
            PingpongLoop loop =
                    new PingpongLoop(
                            completions,
                            exchange,
                            () -> qp.postRecv(receive),
                            new QueuePair[] {qp},
                            new Runnable[] {postSend(qp, buffer)});
            qp.modify(QpAttr.init(options.device.port()));
            loop.postReceives();

            LocalPath path = new LocalPath(pd.context(), options);
            PingpongAddress here = path.addressOf(qp);
            System.out.println("  local address:  " + here);
            List<PingpongAddress> peer =
                    rendezvous.exchange(
                            List.of(here),
                            theirs -> path.connect(qp, theirs.getFirst(), message.pathMtu()));
            System.out.println("  remote address: " + peer.getFirst());

            if (options.isClient() && exchange.check) {
                buffer.mark();
            }
            report(completions, loop.run(options.isClient()));
            if (exchange.check) {
                buffer.check();
            }
        }
    }

    // @end

    Completions completions(ProtectionDomain pd, int cqe) {
        return new Completions(pd.context(), options, cqe);
    }

    Runnable postSend(QueuePair qp, PingpongBuffer buffer) {
        boolean inline = message.size <= qp.cap().maxInlineData();
        SendWr send =
                new SendWr(1)
                        .wrId(PingpongLoop.SEND)
                        .send(buffer.mr(), 0, message.size)
                        .sendFlags(SendFlags.SIGNALED | (inline ? SendFlags.INLINE : 0));
        return () -> qp.postSend(send);
    }

    void report(Completions completions, long nanos) {
        PingpongReport.print(message.size, exchange.iters, nanos);
    }
}
