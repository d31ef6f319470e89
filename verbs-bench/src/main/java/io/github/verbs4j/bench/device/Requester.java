package io.github.verbs4j.bench.device;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.CompletionQueueEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.SendBatch;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.SendWrArray;
import io.github.verbs4j.WcArray;
import io.github.verbs4j.WcArrayEx;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import java.time.Duration;

/**
 * The loop that is measured: posts requests, as many as may be in flight, and polls completions.
 * The C twin has the same one, line by line.
 */
public final class Requester implements AutoCloseable {

    /** Whether to yield after an empty poll: one processor must get the completion done too. */
    public static final boolean YIELDS = Runtime.getRuntime().availableProcessors() == 1;

    /** Completions that a poll takes at most. */
    private static final int POLL = 16;

    private static final Duration STUCK = Duration.ofSeconds(20);

    private final Workload load;
    private final Endpoint local;
    private final Link link;
    private final boolean localReceives;
    private final Poster poster;
    private final Poller poller;

    /** Posts the next batch of requests. */
    private interface Poster {
        void post(int slot);
    }

    /** Takes completions, all successful; returns how many. */
    private interface Poller {
        int poll();
    }

    /**
     * Opens the device and connects.
     *
     * @param choice where
     * @param load what
     */
    public Requester(DeviceChoice choice, Workload load) {
        this.load = load;
        this.local = Endpoint.open(choice, load);
        this.link =
                choice.peer().isPresent() ? new PeerLink(choice, load) : new Loopback(choice, load);
        RemoteBuffer remote = link.connect(local);
        this.localReceives = load.operation().takesReceive() && link.takesReceivesHere();
        this.poster = load.way() == Way.EXTENDED ? extended(remote) : classic(remote);
        this.poller =
                switch (load.way()) {
                    case CLASSIC -> poller(local.sendCq);
                    case EXTENDED -> poller((CompletionQueueEx) local.sendCq);
                    case EVENTS -> waiter(local.channel, local.sendCq);
                };
    }

    /**
     * Carries out so many requests, from the first post to the last completion.
     *
     * @param count how many, a multiple of the depth
     */
    public void run(int count) {
        int posted = 0;
        int completed = 0;
        long empty = 0;
        while (completed < count) {
            while (posted < count && posted - completed + load.batch() <= load.depth()) {
                poster.post(posted % load.depth());
                posted += load.batch();
            }
            int n = poller.poll();
            if (localReceives) {
                link.refill();
            }
            completed += n * load.signalEvery();
            empty = n > 0 ? 0 : empty + 1;
            if (empty > 0) {
                pause(empty);
            }
        }
    }

    private long stuckSince;

    private void pause(long empty) {
        if (YIELDS) {
            Thread.yield();
        }
        if (empty == 10_000) {
            stuckSince = System.nanoTime();
        } else if (empty % 10_000 == 0 && System.nanoTime() - stuckSince > STUCK.toNanos()) {
            throw new IllegalStateException("no completion for 20 seconds: " + load);
        }
    }

    private Poster classic(RemoteBuffer remote) {
        SendWrArray[] batches = new SendWrArray[load.depth() / load.batch()];
        for (int b = 0; b < batches.length; b++) {
            batches[b] = new SendWrArray(load.batch(), load.sges());
            for (int i = 0; i < load.batch(); i++) {
                build(batches[b].get(i), b * load.batch() + i, remote);
            }
        }
        if (load.batch() == 1) {
            return slot -> local.qp.postSend(batches[slot].get(0));
        }
        return slot -> local.qp.postSend(batches[slot / load.batch()]);
    }

    private void build(SendWr wr, int index, RemoteBuffer remote) {
        wr.opcode(load.operation().opcode).wrId(index).sendFlags(flags(index));
        if (load.operation() != Operation.SEND) {
            wr.remote(remote, 0);
        }
        wr.compareAdd(1).swap(1);
        long offset = 0;
        for (int i = 0; i < load.sges(); i++) {
            wr.sge(i, local.mr, offset, load.sgeLength(i));
            offset += load.sgeLength(i);
        }
    }

    private int flags(int index) {
        boolean signaled = (index + 1) % load.signalEvery() == 0;
        return (signaled ? SendFlags.SIGNALED : 0) | (load.inline() ? SendFlags.INLINE : 0);
    }

    private Poster extended(RemoteBuffer remote) {
        SendBatch batch = ((QueuePairEx) local.qp).sendBatch(load.batch());
        return slot -> {
            for (int i = 0; i < load.batch(); i++) {
                int index = slot + i;
                batch.wrId(index).wrFlags(flags(index) & ~SendFlags.INLINE);
                begin(batch, remote);
                if (load.inline()) {
                    batch.setInlineData(local.mr.segment());
                } else if (load.sges() == 1) {
                    batch.setSge(local.mr, 0, load.size());
                } else {
                    addSges(batch);
                }
            }
            batch.complete();
        };
    }

    private void begin(SendBatch batch, RemoteBuffer remote) {
        switch (load.operation()) {
            case SEND -> batch.send();
            case WRITE -> batch.rdmaWrite(remote, 0);
            case WRITE_WITH_IMM -> batch.rdmaWriteImm(remote, 0, 0);
            case READ -> batch.rdmaRead(remote, 0);
            case FETCH_AND_ADD -> batch.atomicFetchAdd(remote, 0, 1);
            case COMPARE_AND_SWAP -> batch.atomicCmpSwp(remote, 0, 1, 1);
        }
    }

    private void addSges(SendBatch batch) {
        long offset = 0;
        for (int i = 0; i < load.sges(); i++) {
            batch.addSge(local.mr, offset, load.sgeLength(i));
            offset += load.sgeLength(i);
        }
    }

    private static Poller poller(CompletionQueue cq) {
        WcArray wc = new WcArray(POLL);
        return () -> {
            int n = cq.poll(wc);
            for (int i = 0; i < n; i++) {
                wc.checkSuccess(i);
            }
            return n;
        };
    }

    /**
     * The queue is armed before anything is posted, and again before each poll: what a poll does
     * not find raises an event. Only what it left behind when it was full does not.
     */
    private static Poller waiter(CompletionChannel channel, CompletionQueue cq) {
        Poller poller = poller(cq);
        cq.reqNotify();
        boolean[] full = {false};
        return () -> {
            if (!full[0]) {
                await(channel);
                cq.reqNotify();
            }
            int n = poller.poll();
            full[0] = n == POLL;
            return n;
        };
    }

    private static void await(CompletionChannel channel) {
        try {
            if (channel.getCqEvent(STUCK) == null) {
                throw new IllegalStateException("no event for 20 seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Poller poller(CompletionQueueEx cq) {
        WcArrayEx wc = new WcArrayEx(POLL);
        return () -> {
            int n = cq.poll(wc);
            for (int i = 0; i < n; i++) {
                wc.checkSuccess(i);
            }
            return n;
        };
    }

    @Override
    public void close() {
        link.close();
        local.close();
    }
}
