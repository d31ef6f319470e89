package io.github.verbs4j.examples.demo;

import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.WcOpcode;
import java.time.Duration;

/** One of two peers: a queue pair, the queue of its completions, its memory. */
final class Side implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final QueuePair qp;
    final GuardedRegion memory;
    private final CompletionQueue cq;
    private final WcArray wc = new WcArray(1);

    Side(String name, ProtectionDomain pd, int size) {
        // @start region=queue-pair
        cq = pd.context().createCq(32);
        qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
        // @end
        memory = new GuardedRegion(name, pd, size);
    }

    /** Connects to the peer, which may then write, read and change this side's memory. */
    void connect(GidEntry gid, Side peer) {
        qp.connect(gid, peer.qp.localAddress(gid), REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
    }

    @Override
    public void close() {
        memory.close();
        qp.close();
        cq.close();
    }

    /** Waits for the next completion, which must be a success of this kind. */
    WcArray completion(WcOpcode opcode) throws Exception {
        cq.await(wc, PATIENCE);
        wc.checkSuccess(0);
        if (wc.opcode(0) != opcode) {
            throw new ExampleException("completed as %s, must be %s", wc.opcode(0), opcode);
        }
        return wc;
    }

    /** Makes sure that nothing else completed. */
    void expectNoCompletion() {
        if (cq.poll(wc) != 0) {
            throw new ExampleException("one completion too many: %s", wc.get(0));
        }
    }
}
