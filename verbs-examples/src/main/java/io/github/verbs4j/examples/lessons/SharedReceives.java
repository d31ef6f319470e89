package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.GidEntry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Many clients, one pool of receives. */
@Command(
        name = "srq",
        description = {
            "Serve several clients from one shared receive queue.",
            "",
            "Without it a server posts receives for each client, most of which wait for nothing."
                + " Here all queue pairs take their receives from one queue; the completion says by"
                + " qp_num whose message came. A client whose message finds the queue empty waits"
                + " and tries again."
        })
public final class SharedReceives implements Callable<Integer>, Checked {

    private static final int MESSAGE = 64;

    @Mixin private LessonOptions options;

    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "4",
            description = "Have N clients, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            defaultValue = "16",
            description = "Share N receives, 1 to 1024 (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "200",
            description = "Each client sends N messages (default: ${DEFAULT-VALUE}).")
    private int iters;

    private final List<Peer> servers = new ArrayList<>();
    private int[] next;
    private Progress progress;

    @Override
    public void check() {
        Arguments.range(1, 64, "--clients", clients);
        Arguments.range(1, 1024, "--rx-depth", depth);
        Arguments.range(1, 1_000_000, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        next = new int[clients];
        progress = new Progress("messages", (long) clients * iters);
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd()) {
            serve(pd, options.gid(context));
        }
        System.out.printf(
                "%d receives served %d clients with %d messages each.%n", depth, clients, iters);
        System.out.println("Every message verified: once, in the order its client sent it.");
        return 0;
    }

    private void serve(ProtectionDomain pd, GidEntry gid) throws Exception {
        // @start region=srq
        try (SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(depth));
                CompletionQueue cq = pd.context().createCq(depth);
                MemoryRegion slots = pd.allocateMr((long) depth * MESSAGE, LOCAL_WRITE);
                Resources peers = new Resources()) {
            RecvWr receive = new RecvWr(1);
            for (int slot = 0; slot < depth; slot++) {
                srq.postRecv(receive.wrId(slot).sge(slots, (long) slot * MESSAGE, MESSAGE));
            }
            // @end
            serve(pd, gid, srq, cq, slots, peers);
        }
    }

    private void serve(
            ProtectionDomain pd,
            GidEntry gid,
            SharedReceiveQueue srq,
            CompletionQueue cq,
            MemoryRegion slots,
            Resources peers)
            throws Exception {
        List<Peer> asking = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Peer server = peers.add(new Peer(pd, cq, attr -> attr.srq(srq)));
            Peer client = peers.add(new Peer(pd));
            Peer.connect(gid, client, server);
            servers.add(server);
            asking.add(client);
        }
        // From now on somebody posts the receives again.
        Clients running = new Clients();
        for (int i = 0; i < clients; i++) {
            MemoryRegion message = peers.add(pd.allocateMr(MESSAGE, LOCAL_WRITE));
            startClient(running, asking.get(i), message, i);
        }

        RecvWr receive = new RecvWr(1);
        WcArray wc = new WcArray(depth);
        int total = clients * iters;
        for (int done = 0; done < total && !running.hasFailed(); ) {
            int n = cq.poll(wc);
            for (int i = 0; i < n; i++) {
                wc.checkSuccess(i);
                long at = wc.wrId(i) * MESSAGE;
                verify(clientOf(wc.qpNum(i)), slots.segment().asSlice(at, MESSAGE));
                srq.postRecv(receive.wrId(wc.wrId(i)).sge(slots, at, MESSAGE));
                progress.step();
            }
            done += n;
            if (n == 0) {
                Thread.yield();
            }
        }
        running.join();
        Check.equal("messages received", total, IntStream.of(next).sum());
    }

    private void startClient(Clients running, Peer client, MemoryRegion message, int number) {
        SendWr send = new SendWr(1).send(message, 0, MESSAGE);
        running.start(
                () -> {
                    for (int i = 0; i < iters; i++) {
                        write(message.segment(), number, i);
                        client.carryOut(send);
                    }
                    return null;
                });
    }

    private static void write(MemorySegment message, int client, int sequence) {
        Check.fill(message, client + sequence);
        message.set(JAVA_INT, 0, client);
        message.set(JAVA_INT, 4, sequence);
    }

    private int clientOf(int qpNum) {
        int client = 0;
        while (servers.get(client).qp().qpNum() != qpNum) {
            client++;
        }
        return client;
    }

    private void verify(int client, MemorySegment message) {
        MemorySegment expected = MemorySegment.ofArray(new int[MESSAGE / Integer.BYTES]);
        write(expected, client, next[client]);
        Check.equal("message %d of client %d".formatted(next[client], client), expected, message);
        next[client]++;
    }
}
