package io.github.verbs4j.examples.demo;

import static io.github.verbs4j.examples.demo.GuardedRegion.DATA;

import io.github.verbs4j.RecvWr;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.WcOpcode;
import java.util.List;

/**
 * The seven operations of a reliable connection. Side a asks; side b's memory is sent to, written,
 * read or changed. Each method carries one out, says what both memories must hold afterwards, and
 * returns how many nanoseconds it took.
 */
final class Operations {

    /** An operation with what the demo says about it. */
    record Operation(String name, int bytes, String verified, Run run) {}

    /** Carries an operation out once. */
    interface Run {
        long nanos() throws Exception;
    }

    private static final int IMMEDIATE = 0xcafe0042;

    private final Side a;
    private final Side b;
    private final int size;
    private final RemoteBuffer target;
    private final SendWr request = new SendWr(1);
    private final RecvWr receive = new RecvWr(1);
    private int round;

    Operations(Side a, Side b, int size) {
        this.a = a;
        this.b = b;
        this.size = size;
        // Between two machines this travels in a message, or over a socket.
        target = b.memory.mr().remote();
    }

    List<Operation> all() {
        return List.of(
                new Operation("SEND", size, "data, guards, length", this::send),
                new Operation(
                        "SEND_WITH_IMM",
                        size,
                        "data, guards, length, immediate data",
                        this::sendWithImm),
                new Operation("RDMA_WRITE", size, "data, guards, target not notified", this::write),
                new Operation(
                        "RDMA_WRITE_WITH_IMM",
                        size,
                        "data, guards, length, immediate data",
                        this::writeWithImm),
                new Operation("RDMA_READ", size, "data, guards, target not notified", this::read),
                new Operation(
                        "COMPARE_AND_SWAP",
                        Long.BYTES,
                        "old value, new value, no swap if different",
                        this::compareAndSwap),
                new Operation(
                        "FETCH_AND_ADD", Long.BYTES, "old value, sum, guards", this::fetchAndAdd));
    }

    // @start region=send
    /** SEND: the receiver decides where a message goes, by a receive that it posted before. */
    private long send() throws Exception {
        fill();
        b.qp.postRecv(receive.sge(b.memory.mr(), DATA, size));
        long nanos = timed(request.send(a.memory.mr(), DATA, size), WcOpcode.SEND);
        WcArray received = b.completion(WcOpcode.RECV);
        check("length received", size, received.byteLen(0));
        b.memory.expectDataOf(a.memory);
        return verified(nanos);
    }

    // @end

    /** SEND_WITH_IMM: 32 bits travel beside the message, into the receiver's completion. */
    private long sendWithImm() throws Exception {
        fill();
        b.qp.postRecv(receive.sge(b.memory.mr(), DATA, size));
        int imm = IMMEDIATE + round;
        long nanos = timed(request.sendWithImm(a.memory.mr(), DATA, size, imm), WcOpcode.SEND);
        WcArray received = b.completion(WcOpcode.RECV);
        check("length received", size, received.byteLen(0));
        check("immediate data", imm, received.immData(0));
        b.memory.expectDataOf(a.memory);
        return verified(nanos);
    }

    // @start region=write
    /** RDMA_WRITE: the writer decides where the data goes; the target's program is not notified. */
    private long write() throws Exception {
        fill();
        long nanos =
                timed(request.write(a.memory.mr(), DATA, size, target, DATA), WcOpcode.RDMA_WRITE);
        b.memory.expectDataOf(a.memory);
        return verified(nanos);
    }

    // @end

    /** RDMA_WRITE_WITH_IMM: as RDMA_WRITE, and takes a receive to notify the target. */
    private long writeWithImm() throws Exception {
        fill();
        b.qp.postRecv(receive.numSge(0));
        int imm = IMMEDIATE + round;
        long nanos =
                timed(
                        request.writeWithImm(a.memory.mr(), DATA, size, target, DATA, imm),
                        WcOpcode.RDMA_WRITE);
        WcArray received = b.completion(WcOpcode.RECV_RDMA_WITH_IMM);
        check("length written", size, received.byteLen(0));
        check("immediate data", imm, received.immData(0));
        b.memory.expectDataOf(a.memory);
        return verified(nanos);
    }

    // @start region=read
    /** RDMA_READ: fetches the target's memory; its program is not notified. */
    private long read() throws Exception {
        fill();
        long nanos =
                timed(request.read(a.memory.mr(), DATA, size, target, DATA), WcOpcode.RDMA_READ);
        a.memory.expectDataOf(b.memory);
        return verified(nanos);
    }

    // @end

    /** COMPARE_AND_SWAP: the old value comes back; the new one is stored only if it matched. */
    private long compareAndSwap() throws Exception {
        fill();
        long old = b.memory.first();
        request.compareSwap(a.memory.mr(), DATA, target, DATA, old, ~old);
        long nanos = timed(request, WcOpcode.COMP_SWAP);
        a.memory.expectFirst(old);
        b.memory.expectFirst(~old);
        verified(nanos);

        request.compareSwap(a.memory.mr(), DATA, target, DATA, old, 0);
        timed(request, WcOpcode.COMP_SWAP);
        a.memory.expectFirst(~old);
        return verified(nanos);
    }

    /** FETCH_AND_ADD: the old value comes back, the sum is stored. */
    private long fetchAndAdd() throws Exception {
        fill();
        long old = b.memory.first();
        request.fetchAdd(a.memory.mr(), DATA, target, DATA, 1_000_000_007L);
        long nanos = timed(request, WcOpcode.FETCH_ADD);
        a.memory.expectFirst(old);
        b.memory.expectFirst(old + 1_000_000_007L);
        return verified(nanos);
    }

    /** Gives both sides new patterns, different from each other and from the last ones. */
    private void fill() {
        round++;
        a.memory.fill(2 * round);
        b.memory.fill(2 * round + 1);
    }

    /**
     * Posts the request and waits for its completion, which says that the data is where it goes.
     */
    private long timed(SendWr wr, WcOpcode opcode) throws Exception {
        long start = System.nanoTime();
        a.qp.postSend(wr);
        a.completion(opcode);
        return System.nanoTime() - start;
    }

    private long verified(long nanos) {
        a.memory.verify();
        b.memory.verify();
        a.expectNoCompletion();
        b.expectNoCompletion();
        return nanos;
    }

    private static void check(String what, long expected, long actual) {
        if (actual != expected) {
            throw new ExampleException("%s is 0x%x, must be 0x%x", what, actual, expected);
        }
    }
}
