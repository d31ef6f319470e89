package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A message is gathered from several places, and scattered to several others. */
@Command(
        name = "gather-scatter",
        description = {
            "Gather a message from several buffers and scatter it to others, without copying.",
            "",
            "A request names its memory by a list of elements. The device reads them one after the"
                + " other into one message; at the receiver the message fills the elements of the"
                + " receive, wherever the borders of the sender's were. A request without elements"
                + " is a message of no bytes."
        })
public final class GatherScatter implements Callable<Integer> {

    private static final int HEADER = 16;
    private static final int BODY = 3001;
    private static final int TRAILER = 7;
    private static final int TOTAL = HEADER + BODY + TRAILER;

    @Mixin private LessonOptions options;

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                Peer a = new Peer(pd, attr -> attr.maxSendSge(3).maxRecvSge(3));
                Peer b = new Peer(pd, attr -> attr.maxSendSge(3).maxRecvSge(3));
                MemoryRegion ends = pd.allocateMr(4096, LOCAL_WRITE);
                MemoryRegion body = pd.allocateMr(BODY, LOCAL_WRITE);
                MemoryRegion target = pd.allocateMr(8192, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE)) {
            Peer.connect(options.gid(context), a, b);
            send(a, b, ends, body, target);
            write(a, ends, body, target);
            read(a, ends, body, target);
            nothing(a, b);
        }
        System.out.println("All 4 operations verified.");
        return 0;
    }

    /** Header and trailer lie in one region, the body between them in another. */
    private static MemorySegment fill(MemoryRegion ends, MemoryRegion body, int seed) {
        MemorySegment message = MemorySegment.ofArray(new byte[TOTAL]);
        Check.fill(message, seed);
        MemorySegment.copy(message, 0, ends.segment(), 5, HEADER);
        MemorySegment.copy(message, HEADER, body.segment(), 0, BODY);
        MemorySegment.copy(message, HEADER + BODY, ends.segment(), 1001, TRAILER);
        return message;
    }

    private static SendWr gather(WrOpcode opcode, MemoryRegion ends, MemoryRegion body) {
        // @start region=gather
        return new SendWr(3)
                .opcode(opcode)
                .sge(0, ends, 5, HEADER)
                .sge(1, body, 0, BODY)
                .sge(2, ends, 1001, TRAILER)
                .numSge(3);
        // @end
    }

    private static void send(
            Peer a, Peer b, MemoryRegion ends, MemoryRegion body, MemoryRegion target)
            throws Exception {
        MemorySegment message = fill(ends, body, 1);
        // @start region=scatter
        RecvWr receive =
                new RecvWr(3)
                        .sge(0, target, 4000, 1000)
                        .sge(1, target, 1, 2000)
                        .sge(2, target, 6000, 2000)
                        .numSge(3);
        // @end
        b.receive(receive);
        a.carryOut(gather(WrOpcode.SEND, ends, body));
        Check.equal("length received", TOTAL, b.completion().byteLen(0));
        MemorySegment memory = target.segment();
        Check.equal("element 0", message.asSlice(0, 1000), memory.asSlice(4000, 1000));
        Check.equal("element 1", message.asSlice(1000, 2000), memory.asSlice(1, 2000));
        Check.equal("element 2", message.asSlice(3000), memory.asSlice(6000, TOTAL - 3000));
        System.out.printf(
                "SEND        gathered %d + %d + %d bytes, scattered to %d + %d + %d%n",
                HEADER, BODY, TRAILER, 1000, 2000, TOTAL - 3000);
    }

    private static void write(Peer a, MemoryRegion ends, MemoryRegion body, MemoryRegion target)
            throws Exception {
        MemorySegment message = fill(ends, body, 2);
        a.carryOut(gather(WrOpcode.RDMA_WRITE, ends, body).remote(target.remote(), 100));
        Check.equal("the target", message, target.segment().asSlice(100, TOTAL));
        System.out.println("RDMA_WRITE  gathered 3 elements into one range of the peer's memory");
    }

    private static void read(Peer a, MemoryRegion ends, MemoryRegion body, MemoryRegion target)
            throws Exception {
        MemorySegment message = fill(ends, body, 3);
        MemorySegment.copy(message, 0, target.segment(), 100, TOTAL);
        ends.segment().fill((byte) 0);
        body.segment().fill((byte) 0);
        a.carryOut(gather(WrOpcode.RDMA_READ, ends, body).remote(target.remote(), 100));
        Check.equal("the header", message.asSlice(0, HEADER), ends.segment().asSlice(5, HEADER));
        Check.equal("the body", message.asSlice(HEADER, BODY), body.segment());
        Check.equal(
                "the trailer",
                message.asSlice(HEADER + BODY),
                ends.segment().asSlice(1001, TRAILER));
        System.out.println("RDMA_READ   scattered one range of the peer's memory to 3 elements");
    }

    private static void nothing(Peer a, Peer b) throws Exception {
        b.receive(new RecvWr(0));
        a.carryOut(new SendWr(0).opcode(WrOpcode.SEND_WITH_IMM).immData(42));
        Check.equal("length of nothing", 0, b.completion().byteLen(0));
        System.out.println(
                "SEND        no elements: a message of no bytes, which may carry 32 bits");
    }
}
