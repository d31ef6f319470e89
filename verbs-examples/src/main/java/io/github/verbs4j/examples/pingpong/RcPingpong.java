package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.wire.PingpongAddress;
import io.github.verbs4j.examples.wire.Rendezvous;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.LinkLayer;
import io.github.verbs4j.types.PortAttr;
import io.github.verbs4j.types.QpAddress;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
public final class RcPingpong implements Callable<Integer> {

    @Mixin private PingpongOptions options;
    @Mixin private UnsupportedOptions unsupported;

    @Override
    public Integer call() throws Exception {
        options.check();
        try (Rendezvous rendezvous = options.rendezvous();
                Context context = options.device.open();
                ProtectionDomain pd = context.allocPd()) {
            pingpong(pd, rendezvous);
        }
        return 0;
    }

    private void pingpong(ProtectionDomain pd, Rendezvous rendezvous) throws Exception {
        PingpongBuffer buffer = new PingpongBuffer(pd, options.size);
        Completions completions = new Completions(pd.context(), options);
        QueuePair qp =
                pd.createQp(
                        new QpInitAttr(QpType.RC, completions.cq())
                                .maxSendWr(1)
                                .maxRecvWr(options.rxDepth));
        PingpongLoop loop =
                new PingpongLoop(qp, completions, sendOf(buffer, qp), receiveInto(buffer), options);
        qp.modify(QpAttr.init(options.device.port()));
        loop.postReceives();

        GidEntry gid = options.gid(pd.context());
        PingpongAddress here = localAddress(qp, gid);
        System.out.println("  local address:  " + here);
        List<PingpongAddress> peer =
                rendezvous.exchange(
                        List.of(here), theirs -> connect(qp, gid, here, theirs.getFirst()));
        System.out.println("  remote address: " + peer.getFirst());

        if (options.isClient() && options.check) {
            buffer.mark();
        }
        PingpongReport.print(options, loop.run(options.isClient()));
        if (options.check) {
            buffer.check();
        }
    }

    private SendWr sendOf(PingpongBuffer buffer, QueuePair qp) {
        boolean inline = options.size <= qp.cap().maxInlineData();
        return new SendWr(1)
                .send(buffer.mr(), 0, options.size)
                .sendFlags(SendFlags.SIGNALED | (inline ? SendFlags.INLINE : 0));
    }

    private RecvWr receiveInto(PingpongBuffer buffer) {
        return new RecvWr(1).sge(buffer.mr(), 0, options.size);
    }

    /** InfiniBand needs no GID within a subnet, Ethernet always does. */
    private PingpongAddress localAddress(QueuePair qp, GidEntry gid) {
        QpAddress address = qp.localAddress(gid);
        PortAttr port = qp.context().queryPort(gid.port());
        boolean useGid = options.gidIndex != null || port.linkLayer() == LinkLayer.ETHERNET;
        return new PingpongAddress(
                address.lid(), address.qpNum(), address.psn(), useGid ? gid.gid() : Gid.of(0, 0));
    }

    private void connect(QueuePair qp, GidEntry gid, PingpongAddress here, PingpongAddress there) {
        QpAttr rtr = QpAttr.rtr(gid, there.toQpAddress()).pathMtu(options.pathMtu());
        qp.modify(rtr.ahAttr(rtr.ahAttr().sl(options.sl)));
        qp.modify(QpAttr.rts(here.psn()));
    }
}
