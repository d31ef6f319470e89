package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.SendFlags;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A SEND of what a READ just before it fetches must wait for the READ. */
@Command(
        name = "fence",
        description = {
            "Send what an RDMA READ just before fetches: the FENCE flag makes it wait.",
            "",
            "The requests of a queue start in order, but a READ or an atomic may still be on its"
                + " way when the next request takes its data. With FENCE a request starts only when"
                + " all READs and atomics before it are done. Without, old data may be sent; how"
                + " often, depends on the device."
        })
public final class Fence implements Callable<Integer>, Checked {

    @Mixin private LessonOptions options;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "300",
            description = "Fetch and send N times (default: ${DEFAULT-VALUE}).")
    private int iters;

    private Peer a;
    private Peer b;
    private MemoryRegion source;
    private MemoryRegion buffer;
    private MemoryRegion received;

    @Override
    public void check() {
        Arguments.range(1, 10_000_000, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                Resources open = new Resources()) {
            a = open.add(new Peer(pd));
            b = open.add(new Peer(pd));
            Peer.connect(options.gid(context), a, b);
            source = open.add(pd.allocateMr(Long.BYTES, LOCAL_WRITE, REMOTE_READ));
            buffer = open.add(pd.allocateMr(Long.BYTES, LOCAL_WRITE));
            received = open.add(pd.allocateMr(Long.BYTES, LOCAL_WRITE));

            int stale = stale(0);
            System.out.printf("without FENCE  %d of %d messages held old data%n", stale, iters);
            int fenced = stale(SendFlags.FENCE);
            System.out.printf("with FENCE     %d of %d messages held old data%n", fenced, iters);
            if (fenced > 0) {
                throw new ExampleException("%s does not honour FENCE", context.device().name());
            }
        }
        System.out.println("Fenced messages verified.");
        return 0;
    }

    /** {@return how many messages held what the buffer held before the READ} */
    private int stale(int flag) throws Exception {
        // @start region=fence
        SendWrArray fetchAndSend = new SendWrArray(2, 1);
        fetchAndSend.get(0).read(buffer, 0, Long.BYTES, source.remote(), 0).sendFlags(0);
        fetchAndSend.get(1).send(buffer, 0, Long.BYTES).sendFlags(SendFlags.SIGNALED | flag);
        // @end
        RecvWr receive = new RecvWr(1).sge(received, 0, Long.BYTES);
        Progress progress = new Progress("messages", iters);
        int stale = 0;
        for (long i = 1; i <= iters; i++) {
            source.segment().set(JAVA_LONG, 0, i);
            buffer.segment().set(JAVA_LONG, 0, -i);
            b.receive(receive);
            a.qp().postSend(fetchAndSend);
            b.completion();
            a.completion();
            long message = received.segment().get(JAVA_LONG, 0);
            if (message == -i) {
                stale++;
            } else {
                Check.equal("message", i, message);
            }
            Check.equal("what was read", i, buffer.segment().get(JAVA_LONG, 0));
            progress.step();
        }
        return stale;
    }
}
