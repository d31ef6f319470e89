package io.github.verbs4j.examples.lessons;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.REMOTE_ATOMIC;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.Context;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.SendWr;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.RemoteBuffer;
import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Several clients share a counter and a spin lock in memory whose owner does nothing. */
@Command(
        name = "atomics",
        description = {
            "Share a counter and a spin lock among clients by remote atomics, proven exact.",
            "",
            "FETCH_AND_ADD returns the old value of 8 bytes at the peer and adds to it: tickets"
                + " that nobody gets twice. COMPARE_AND_SWAP stores a value if the old one is as"
                + " expected: a lock. Under the lock each client READs two numbers, adds to both,"
                + " and WRITEs them back, which is not atomic by itself."
        })
public final class Atomics implements Callable<Integer>, Checked {

    /** Where things are in the shared memory. */
    private static final long COUNTER = 0;

    private static final long LOCK = 8;
    private static final long RECORD = 16;
    private static final long RECORD_BYTES = 16;
    private static final long FREE = 0;

    @Mixin private LessonOptions options;

    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "4",
            description = "Have N clients, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "100",
            description =
                    "Each takes N tickets, then the lock N times (default: ${DEFAULT-VALUE}).")
    private int iters;

    private final BitSet tickets = new BitSet();
    private final AtomicLong attempts = new AtomicLong();
    private Progress progress;

    @Override
    public void check() {
        Arguments.range(1, 64, "--clients", clients);
        Arguments.range(1, 1_000_000, "--iters", iters);
    }

    @Override
    public Integer call() throws Exception {
        int total = clients * iters;
        progress = new Progress("tickets and locks", 2L * total);
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd();
                MemoryRegion shared =
                        pd.allocateMr(
                                4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC)) {
            run(pd, options.gid(context), shared.remote());

            Check.equal("the counter", total, shared.segment().get(JAVA_LONG, COUNTER));
            Check.equal("tickets handed out", total, tickets.cardinality());
            Check.equal("the lock", FREE, shared.segment().get(JAVA_LONG, LOCK));
            Check.equal("the first number", total, shared.segment().get(JAVA_LONG, RECORD));
            Check.equal("the second", 7L * total, shared.segment().get(JAVA_LONG, RECORD + 8));
        }
        System.out.printf(
                "FETCH_AND_ADD     %d clients took %d tickets: each of 0 to %d exactly once%n",
                clients, total, total - 1);
        System.out.printf(
                "COMPARE_AND_SWAP  the lock was taken %d times in %d attempts: no update lost%n",
                total, attempts.get());
        System.out.println("Counter and lock verified.");
        return 0;
    }

    private void run(ProtectionDomain pd, GidEntry gid, RemoteBuffer shared) throws Exception {
        try (Resources peers = new Resources()) {
            Clients running = new Clients();
            for (int i = 1; i <= clients; i++) {
                long id = i;
                Peer client = peers.add(new Peer(pd));
                Peer server = peers.add(new Peer(pd));
                Peer.connect(gid, client, server);
                MemoryRegion result = peers.add(pd.allocateMr(RECORD_BYTES, LOCAL_WRITE));
                running.start(
                        () -> {
                            takeTickets(client, result, shared);
                            updateUnderLock(id, client, result, shared);
                            return null;
                        });
            }
            running.join();
        }
    }

    private void takeTickets(Peer client, MemoryRegion result, RemoteBuffer shared)
            throws Exception {
        // @start region=fetch-add
        SendWr fetchAdd = new SendWr(1).fetchAdd(result, 0, shared, COUNTER, 1);
        for (int i = 0; i < iters; i++) {
            client.carryOut(fetchAdd);
            take(result.segment().get(JAVA_LONG, 0));
        }
        // @end
    }

    private void take(long ticket) {
        synchronized (tickets) {
            if (tickets.get(Math.toIntExact(ticket))) {
                throw new ExampleException("ticket %d was handed out twice", ticket);
            }
            tickets.set((int) ticket);
        }
        progress.step();
    }

    // @start region=lock
    private void updateUnderLock(long id, Peer client, MemoryRegion mr, RemoteBuffer shared)
            throws Exception {
        SendWr lock = new SendWr(1).compareSwap(mr, 0, shared, LOCK, FREE, id);
        SendWr unlock = new SendWr(1).compareSwap(mr, 0, shared, LOCK, id, FREE);
        SendWr read = new SendWr(1).read(mr, 0, RECORD_BYTES, shared, RECORD);
        SendWr write = new SendWr(1).write(mr, 0, RECORD_BYTES, shared, RECORD);
        for (int i = 0; i < iters; i++) {
            for (attempts.incrementAndGet(); swap(client, lock, mr) != FREE; ) {
                attempts.incrementAndGet();
                Thread.yield();
            }
            client.carryOut(read);
            mr.segment().set(JAVA_LONG, 0, mr.segment().get(JAVA_LONG, 0) + 1);
            mr.segment().set(JAVA_LONG, 8, mr.segment().get(JAVA_LONG, 8) + 7);
            client.carryOut(write);
            Check.equal("owner of the lock", id, swap(client, unlock, mr));
            progress.step();
        }
    }

    // @end

    /** {@return what was there before} */
    private static long swap(Peer client, SendWr compareSwap, MemoryRegion result)
            throws Exception {
        client.carryOut(compareSwap);
        return result.segment().get(JAVA_LONG, 0);
    }
}
