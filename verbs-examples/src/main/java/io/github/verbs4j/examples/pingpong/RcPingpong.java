package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.SendBatch;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendOp;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Bounces a message between two programs over a reliable connection. Twin of {@code
 * ibv_rc_pingpong}, which may be the peer in either role.
 */
@Command(
        name = "rc-pingpong",
        description = {
            "Bounce a message between two programs over RC (as ibv_rc_pingpong).",
            "",
            "Start it without HOST on one side, then with the server's HOST on the other. The C"
                    + " tool may be either side; give it -g on RoCE."
        })
public final class RcPingpong extends ConnectedPingpong implements Callable<Integer> {

    @Option(
            names = {"-t", "--ts"},
            description = "Read the device's time of each completion.")
    private boolean timestamps;

    @Option(
            names = {"-N", "--new_send"},
            description = "Post by the extended calls, ibv_wr_*, instead of ibv_post_send.")
    private boolean newSend;

    @Mixin private UnsupportedOptions unsupported;
    @Mixin private OnDemandPaging odp;

    @Override
    public Integer call() throws Exception {
        pingpong();
        return 0;
    }

    @Override
    Completions completions(ProtectionDomain pd, int cqe) {
        return timestamps
                ? new TimedCompletions(pd.context(), options, cqe)
                : super.completions(pd, cqe);
    }

    @Override
    QueuePair createQp(ProtectionDomain pd, Completions completions) {
        return newSend
                ? pd.createQpEx(
                        new QpInitAttrEx(QpType.RC, completions.cq())
                                .sendOps(SendOp.SEND)
                                .maxSendWr(1)
                                .maxRecvWr(exchange.rxDepth))
                : pd.createQp(
                        new QpInitAttr(QpType.RC, completions.cq())
                                .maxSendWr(1)
                                .maxRecvWr(exchange.rxDepth));
    }

    @Override
    Runnable postSend(QueuePair qp, PingpongBuffer buffer) {
        if (!(qp instanceof QueuePairEx extended)) {
            return super.postSend(qp, buffer);
        }
        SendBatch batch = extended.sendBatch(1);
        if (message.size <= qp.cap().maxInlineData()) {
            return () -> {
                batch.wrId(PingpongLoop.SEND).send().setInlineData(buffer.mr().segment());
                batch.complete();
            };
        }
        return () -> {
            batch.wrId(PingpongLoop.SEND).send().setSge(buffer.mr(), 0, message.size);
            batch.complete();
        };
    }

    @Override
    void report(Completions completions, long nanos) {
        super.report(completions, nanos);
        if (completions instanceof TimedCompletions timed) {
            timed.print();
        }
    }
}
