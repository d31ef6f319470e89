package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Table;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Small messages travel inside their request. */
@Command(
        name = "inline",
        description = {
            "Put small messages into the request itself: the buffer is free once posted.",
            "",
            "The processor copies inline data into the send queue, so the device need not fetch it,"
                    + " the memory need not be registered, and it may change as soon as the post"
                    + " returns. How much fits is asked for when the queue pair is created; the"
                    + " device may grant more."
        })
public final class Inline implements Callable<Integer>, Checked {

    @Mixin private LessonOptions options;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            defaultValue = "64",
            description = "Ask for room for so many bytes, 1 to 1024 (default: ${DEFAULT-VALUE}).")
    private int wanted;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "500",
            description = "Write N times of each size (default: ${DEFAULT-VALUE}).")
    private int iters;

    @Override
    public void check() {
        Arguments.range(1, 1024, "--inline_size", wanted);
        Arguments.range(1, 10_000_000, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                Arena arena = Arena.ofConfined();
                Peer a = new Peer(pd, attr -> attr.maxInlineData(wanted));
                Peer b = new Peer(pd)) {
            Peer.connect(options.gid(context), a, b);
            measure(pd, arena, a);
        }
        System.out.println("Each inline write delivered what its buffer held when it was posted.");
        return 0;
    }

    private void measure(ProtectionDomain pd, Arena arena, Peer a) throws Exception {
        int granted = a.qp().cap().maxInlineData();
        System.out.printf("asked for %d bytes inline, granted %d%n", wanted, granted);

        try (MemoryRegion target = pd.allocateMr(granted + 1L, LOCAL_WRITE, REMOTE_WRITE);
                MemoryRegion registered = pd.allocateMr(granted + 1L, LOCAL_WRITE)) {
            MemorySegment ordinary = arena.allocate(granted);
            Table table =
                    new Table(System.out)
                            .right("bytes", 6)
                            .right("inline us", 9)
                            .right("not us", 9)
                            .header();
            for (int size = Math.min(8, granted); size <= granted; size *= 2) {
                inline(a, ordinary.asSlice(0, size), target, 10);
                double inline = inline(a, ordinary.asSlice(0, size), target, iters);
                double not = notInline(a, registered, size, target);
                table.row(size, "%.2f".formatted(inline), "%.2f".formatted(not));
            }
            refuseTooLong(a, registered, target);
        }
    }

    /** {@return the median of the microseconds that one write takes} */
    private static double inline(Peer a, MemorySegment buffer, MemoryRegion target, int times)
            throws Exception {
        // @start region=inline
        SendWr write =
                new SendWr(1)
                        .opcode(WrOpcode.RDMA_WRITE)
                        .sge(0, buffer) // Not registered.
                        .numSge(1)
                        .remote(target.remote(), 0)
                        .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        MemorySegment sent = MemorySegment.ofArray(new byte[(int) buffer.byteSize()]);
        Progress progress = new Progress("inline writes", times);
        long[] nanos = new long[times];
        for (int i = 0; i < times; i++) {
            Check.fill(sent, i);
            buffer.copyFrom(sent);
            long start = System.nanoTime();
            a.qp().postSend(write);
            buffer.fill((byte) 0xee); // Before the completion: it is ours again already.
            a.completion();
            nanos[i] = System.nanoTime() - start;
            Check.equal("what arrived", sent, target.segment().asSlice(0, buffer.byteSize()));
            progress.step();
        }
        // @end
        return median(nanos);
    }

    private double notInline(Peer a, MemoryRegion mr, int size, MemoryRegion target)
            throws Exception {
        SendWr write = new SendWr(1).write(mr, 0, size, target.remote(), 0);
        long[] nanos = new long[iters];
        Progress progress = new Progress("writes of %d bytes".formatted(size), iters);
        for (int i = 0; i < iters; i++) {
            Check.fill(mr.segment(), i);
            long start = System.nanoTime();
            a.carryOut(write);
            nanos[i] = System.nanoTime() - start;
            MemorySegment arrived = target.segment().asSlice(0, size);
            Check.equal("what arrived", mr.segment().asSlice(0, size), arrived);
            progress.step();
        }
        return median(nanos);
    }

    private static double median(long... nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e3;
    }

    private static void refuseTooLong(Peer a, MemoryRegion mr, MemoryRegion target) {
        SendWr write =
                new SendWr(1)
                        .write(mr, 0, mr.length(), target.remote(), 0)
                        .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
        try {
            a.qp().postSend(write);
        } catch (RuntimeException e) {
            System.out.printf("%d bytes are refused: %s%n", mr.length(), e.getMessage());
            return;
        }
        throw new ExampleException("%d bytes inline were not refused", mr.length());
    }
}
