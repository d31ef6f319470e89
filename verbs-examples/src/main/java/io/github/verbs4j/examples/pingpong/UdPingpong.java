package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.AddressHandle;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.examples.wire.Rendezvous;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Bounces a datagram between two programs. Twin of {@code ibv_ud_pingpong}, which may be the peer
 * in either role.
 */
@Command(
        name = "ud-pingpong",
        description = {
            "Bounce a datagram between two programs over UD (as ibv_ud_pingpong).",
            "",
            "Start it without HOST on one side, then with the server's HOST on the other. The C"
                + " tool may be either side; give it -g on RoCE. A datagram fits one packet. In"
                + " front of what is received the device puts 40 bytes that tell the way it came."
        })
public final class UdPingpong implements Callable<Integer>, Checked {

    private static final int QKEY = 0x11111111;

    /** Length of the global routing header (GRH) that each datagram arrives with. */
    private static final int GRH = 40;

    @Mixin private PingpongOptions options;
    @Mixin private ExchangeOptions exchange;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Size of a message, at most the MTU (default: ${DEFAULT-VALUE}).")
    private int size;

    private AddressHandle peerAddress;
    private int peerQpNum;

    @Override
    public void check() {
        Arguments.atLeast(1, "--size", size);
    }

    @Override
    public Integer call() throws Exception {
        try (Rendezvous rendezvous = options.rendezvous();
                Context context = options.device.open();
                ProtectionDomain pd = context.allocPd()) {
            int mtu = context.queryPort(options.device.port()).activeMtu().bytes();
            if (size > mtu) {
                throw new ExampleException(
                        "Requested size larger than port MTU (%d)", mtu); // As the C tool says it.
            }
            pingpong(pd, rendezvous);
        }
        return 0;
    }

    private void pingpong(ProtectionDomain pd, Rendezvous rendezvous) throws Exception {
        try (PingpongBuffer buffer = new PingpongBuffer(pd, GRH, size);
                Completions completions =
                        new Completions(pd.context(), options, exchange.rxDepth + 1);
                QueuePair qp =
                        pd.createQp(
                                new QpInitAttr(QpType.UD, completions.cq())
                                        .maxSendWr(1)
                                        .maxRecvWr(exchange.rxDepth))) {
            pingpong(buffer, completions, qp, rendezvous);
        } finally {
            if (peerAddress != null) {
                peerAddress.close();
            }
        }
    }

    private void pingpong(
            PingpongBuffer buffer, Completions completions, QueuePair qp, Rendezvous rendezvous)
            throws Exception {
        RecvWr receive = new RecvWr(1).wrId(PingpongLoop.RECV).sge(buffer.mr(), 0, GRH + size);
        boolean inline = size <= qp.cap().maxInlineData();
        SendWr send =
                new SendWr(1)
                        .wrId(PingpongLoop.SEND)
                        .send(buffer.mr(), GRH, size)
                        .sendFlags(SendFlags.SIGNALED | (inline ? SendFlags.INLINE : 0));
        PingpongLoop loop =
                new PingpongLoop(
                        completions,
                        exchange,
                        () -> qp.postRecv(receive),
                        new QueuePair[] {qp},
                        new Runnable[] {() -> qp.postSend(send.ud(peerAddress, peerQpNum, QKEY))});
        qp.modify(QpAttr.initUd(options.device.port(), QKEY));
        loop.postReceives();

        LocalPath path = new LocalPath(qp.pd().context(), options);
        PingpongAddress here = path.addressOf(qp);
        // The C tool has this colon.
        System.out.println("  local address:  " + here.toString().replace(", GID", ": GID"));
        List<PingpongAddress> peer =
                rendezvous.exchange(List.of(here), theirs -> address(qp, path, theirs.getFirst()));
        System.out.println("  remote address: " + peer.getFirst());

        if (options.isClient() && exchange.check) {
            buffer.mark();
        }
        PingpongReport.print(size, exchange.iters, loop.run(options.isClient()));
        if (exchange.check) {
            buffer.check();
        }
    }

    // @start region=ud-address
    /** Datagrams need no connection: each carries the address that it goes to. */
    private void address(QueuePair qp, LocalPath path, PingpongAddress there) {
        qp.activateUd(options.device.port(), QKEY);
        peerQpNum = there.qpNum();
        peerAddress = qp.pd().createAh(AhAttr.to(path.gid(), there.toQpAddress()).sl(options.sl));
    }
    // @end
}
