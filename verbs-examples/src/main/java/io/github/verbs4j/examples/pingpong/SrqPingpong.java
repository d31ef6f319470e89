package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.examples.wire.Rendezvous;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Bounces messages over several reliable connections whose receives come from one queue. Twin of
 * {@code ibv_srq_pingpong}, which may be the peer in either role.
 */
@Command(
        name = "srq-pingpong",
        description = {
            "Bounce messages over many RC queue pairs with one receive queue (as"
                    + " ibv_srq_pingpong).",
            "",
            "Start it without HOST on one side, then with the server's HOST on the other, both with"
                + " the same -q. The C tool may be either side; give it -g on RoCE. The messages of"
                + " all queue pairs count together."
        })
public final class SrqPingpong implements Callable<Integer>, Checked {

    private static final int MAX_QP = 256;

    @Mixin private PingpongOptions options;
    @Mixin private ExchangeOptions exchange;
    @Mixin private MessageOptions message;
    @Mixin private OnDemandPaging odp;

    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "N",
            defaultValue = "16",
            description = "Use N queue pairs (default: ${DEFAULT-VALUE}).")
    private int numQp;

    @Override
    public void check() {
        Arguments.range(1, MAX_QP - 1, "--num-qp", numQp);
        if (numQp > exchange.rxDepth) {
            throw Arguments.wrong(
                    "rx_depth %d is too small for %d QPs -- must have at least one receive per QP.",
                    exchange.rxDepth, numQp);
        }
    }

    @Override
    public Integer call() throws Exception {
        try (Rendezvous rendezvous = options.rendezvous();
                Context context = options.device.open();
                ProtectionDomain pd = context.allocPd()) {
            pingpong(pd, rendezvous);
        }
        return 0;
    }

    private void pingpong(ProtectionDomain pd, Rendezvous rendezvous) throws Exception {
        try (PingpongBuffer buffer = new PingpongBuffer(pd, message.size);
                Completions completions =
                        new Completions(pd.context(), options, exchange.rxDepth + numQp);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(exchange.rxDepth));
                Resources open = new Resources()) {
            buffer.sentBytes((byte) 0, options.isClient());
            pingpong(pd, buffer, completions, srq, open, rendezvous);
        }
    }

    private void pingpong(
            ProtectionDomain pd,
            PingpongBuffer buffer,
            Completions completions,
            SharedReceiveQueue srq,
            Resources open,
            Rendezvous rendezvous)
            throws Exception {
        QueuePair[] qps = new QueuePair[numQp];
        Runnable[] sends = new Runnable[numQp];
        for (int i = 0; i < numQp; i++) {
            qps[i] = open.add(createQp(pd, completions, srq));
            sends[i] = postSend(qps[i], buffer);
        }
        RecvWr receive = new RecvWr(1).wrId(PingpongLoop.RECV).sge(buffer.mr(), 0, message.size);
        PingpongLoop loop =
                new PingpongLoop(completions, exchange, () -> srq.postRecv(receive), qps, sends);
        loop.postReceives();
        meet(pd.context(), rendezvous, qps);

        if (options.isClient() && exchange.check) {
            buffer.mark();
        }
        PingpongReport.print(message.size, exchange.iters, loop.run(options.isClient()));
        if (exchange.check) {
            buffer.check();
        }
    }

    // @start region=srq-qp
    private QueuePair createQp(
            ProtectionDomain pd, Completions completions, SharedReceiveQueue srq) {
        QueuePair qp =
                pd.createQp(new QpInitAttr(QpType.RC, completions.cq()).srq(srq).maxSendWr(1));
        qp.modify(QpAttr.init(options.device.port()));
        return qp;
    }

    // @end

    private Runnable postSend(QueuePair qp, PingpongBuffer buffer) {
        SendWr send =
                new SendWr(1)
                        .wrId(PingpongLoop.SEND)
                        .send(buffer.mr(), 0, message.size)
                        .sendFlags(SendFlags.SIGNALED);
        return () -> qp.postSend(send);
    }

    private void meet(Context context, Rendezvous rendezvous, QueuePair... qps) {
        LocalPath path = new LocalPath(context, options);
        List<PingpongAddress> here = Arrays.stream(qps).map(path::addressOf).toList();
        here.forEach(address -> System.out.println("  local address:  " + address));
        rendezvous.exchange(padded(here), theirs -> connect(path, qps, used(theirs))).stream()
                .limit(qps.length)
                .forEach(address -> System.out.println("  remote address: " + address));
    }

    /** The C tool always exchanges its whole table, in which what is not used is zero. */
    private static List<PingpongAddress> padded(List<PingpongAddress> addresses) {
        List<PingpongAddress> table = new ArrayList<>(addresses);
        while (table.size() < MAX_QP) {
            table.add(new PingpongAddress(0, 0, 0, Gid.of(0, 0)));
        }
        return table;
    }

    private static List<PingpongAddress> used(List<PingpongAddress> table) {
        return table.stream().takeWhile(address -> address.qpNum() != 0).toList();
    }

    private void connect(LocalPath path, QueuePair[] qps, List<PingpongAddress> theirs) {
        if (theirs.size() != qps.length) {
            throw new ExampleException(
                    "the peer uses %d queue pairs, this side %d: give both the same -q",
                    theirs.size(), qps.length);
        }
        for (int i = 0; i < qps.length; i++) {
            path.connect(qps[i], theirs.get(i), message.pathMtu());
        }
    }
}
