package io.github.verbs4j.examples.pingpong;

import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.types.QpType;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Bounces a message between two programs over an unreliable connection: a lost packet loses its
 * message, and nobody is told. Twin of {@code ibv_uc_pingpong}, which may be the peer in either
 * role.
 */
@Command(
        name = "uc-pingpong",
        description = {
            "Bounce a message between two programs over UC (as ibv_uc_pingpong).",
            "",
            "Start it without HOST on one side, then with the server's HOST on the other. The C"
                + " tool may be either side; give it -g on RoCE. A message that is lost ends the"
                + " exchange: no completion tells of it, so --patience does."
        })
public final class UcPingpong extends ConnectedPingpong implements Callable<Integer> {

    @Override
    public Integer call() throws Exception {
        pingpong();
        return 0;
    }

    @Override
    QueuePair createQp(ProtectionDomain pd, Completions completions) {
        return pd.createQp(
                new QpInitAttr(QpType.UC, completions.cq())
                        .maxSendWr(1)
                        .maxRecvWr(exchange.rxDepth));
    }
}
