package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.Table;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Requests are posted in batches, of which only the last tells that it is done. */
@Command(
        name = "unsignaled",
        description = {
            "Post requests in batches with one completion each, and see what that saves.",
            "",
            "A request without SIGNALED gives no completion when it succeeds; it is known to be"
                + " done when a later one of the same queue completes. Until then it takes a place"
                + " in the send queue, so the batches in flight must fit in. Here two are in"
                + " flight: the batch is at most half the queue."
        })
public final class Unsignaled implements Callable<Integer>, Checked {

    private static final int DEPTH = 64;

    /** Now and then is enough, and does not count in the time. */
    private static final int PROGRESS = 1024;

    @Mixin private LessonOptions options;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "4096",
            description =
                    "Write N numbers with each size of batch, a multiple of 32 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int iters;

    @Override
    public void check() {
        Arguments.range(DEPTH / 2, 1 << 24, "--iters", iters);
        Arguments.multipleOf(DEPTH / 2, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                Peer a = new Peer(pd, attr -> attr.maxSendWr(DEPTH));
                Peer b = new Peer(pd);
                MemoryRegion source = pd.allocateMr((long) DEPTH * Long.BYTES, LOCAL_WRITE);
                MemoryRegion target =
                        pd.allocateMr((long) iters * Long.BYTES, LOCAL_WRITE, REMOTE_WRITE)) {
            Peer.connect(options.gid(context), a, b);
            Table table =
                    new Table(System.out)
                            .right("batch", 5)
                            .right("posts", 7)
                            .right("completions", 11)
                            .right("us/write", 8)
                            .header();
            write(a, source, target, 1); // Until the compiler has seen it all.
            for (int batch : new int[] {1, 2, 8, 32}) {
                target.segment().fill((byte) -1);
                long nanos = write(a, source, target, batch);
                verify(target);
                String micros = "%.2f".formatted(nanos / 1e3 / iters);
                table.row(batch, iters / batch, iters / batch, micros);
            }
        }
        System.out.printf("All %d numbers verified after each run.%n", iters);
        return 0;
    }

    // @start region=unsignaled
    private long write(Peer a, MemoryRegion source, MemoryRegion target, int batch)
            throws Exception {
        SendWrArray[] halves = {requests(batch), requests(batch)};
        RemoteBuffer remote = target.remote();
        int inFlight = 0;
        Progress progress = new Progress("writes", iters);
        long start = System.nanoTime();
        for (int i = 0; i < iters; i += batch) {
            SendWrArray requests = halves[i / batch % 2];
            if (inFlight == halves.length) {
                a.completion(); // The batch before the last is done, so its places are free.
                inFlight--;
            }
            for (int k = 0; k < batch; k++) {
                long from = (i + k) % DEPTH * (long) Long.BYTES;
                source.segment().set(JAVA_LONG, from, i + k);
                requests.get(k)
                        .write(source, from, Long.BYTES, remote, (long) (i + k) * Long.BYTES);
            }
            a.qp().postSend(requests);
            inFlight++;
            if ((i + batch) % PROGRESS == 0) {
                progress.steps(PROGRESS);
            }
        }
        for (; inFlight > 0; inFlight--) {
            a.completion();
        }
        return System.nanoTime() - start;
    }

    private static SendWrArray requests(int batch) {
        SendWrArray requests = new SendWrArray(batch, 1);
        for (int k = 0; k < batch; k++) {
            requests.get(k).sendFlags(k == batch - 1 ? SendFlags.SIGNALED : 0);
        }
        return requests;
    }

    // @end

    private void verify(MemoryRegion target) {
        for (int i = 0; i < iters; i++) {
            long at = (long) i * Long.BYTES;
            Check.equal("number " + i, i, target.segment().get(JAVA_LONG, at));
        }
    }
}
