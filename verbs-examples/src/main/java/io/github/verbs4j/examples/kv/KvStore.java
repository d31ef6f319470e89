package io.github.verbs4j.examples.kv;

import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.examples.cli.Resources;
import io.github.verbs4j.examples.lessons.Check;
import io.github.verbs4j.examples.lessons.Clients;
import io.github.verbs4j.examples.lessons.LessonOptions;
import io.github.verbs4j.examples.lessons.Progress;
import io.github.verbs4j.types.GidEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A store that several clients read and change at once, checking what they see. */
@Command(
        name = "kv-store",
        description = {
            "Run a key-value store that clients read by RDMA, and check its consistency.",
            "",
            "GET is an RDMA READ: the server's program does nothing. The reader sees by version and"
                    + " checksum whether it caught a value half written, and reads again. PUT is a"
                    + " message, so only the server writes. Clients check that each value is whole"
                    + " and never older than the last; at the end, that no PUT was lost."
        })
public final class KvStore implements Callable<Integer>, Checked {

    @Mixin private LessonOptions options;

    @Option(
            names = {"-c", "--clients"},
            paramLabel = "N",
            defaultValue = "3",
            description = "Have N clients, 1 to 32 (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "300",
            description = "Each carries out N operations (default: ${DEFAULT-VALUE}).")
    private int iters;

    @Option(
            names = {"-k", "--keys"},
            paramLabel = "N",
            defaultValue = "16",
            description = "Use N keys, 1 to 100000 (default: ${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            defaultValue = "1000",
            description = "Size of a value, a multiple of 8 from 16 (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--puts",
            paramLabel = "PERCENT",
            defaultValue = "30",
            description = "How many operations are PUTs (default: ${DEFAULT-VALUE}).")
    private int putPercent;

    @Override
    public void check() {
        Arguments.range(1, 32, "--clients", clients);
        Arguments.range(1, 100_000_000, "--iters", iters);
        Arguments.range(1, 100_000, "--keys", keys);
        Arguments.range(16, 1 << 20, "--size", size);
        Arguments.multipleOf(Long.BYTES, "--size", size);
        Arguments.range(0, 100, "--puts", putPercent);
    }

    @Override
    public Integer call() throws Exception {
        try (Context context = options.open();
                ProtectionDomain pd = context.allocPd()) {
            run(pd, options.gid(context));
        }
        return 0;
    }

    private void run(ProtectionDomain pd, GidEntry gid) throws Exception {
        Slots slots = new Slots(2 * keys, size);
        try (KvServer server = new KvServer(pd, slots);
                Resources open = new Resources()) {
            List<KvClient> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                KvClient client = open.add(new KvClient(pd, slots, server.table()));
                server.accept(gid, client.peer());
                all.add(client);
            }
            run(server, all);
        }
    }

    private void run(KvServer server, List<KvClient> all) throws Exception {
        AtomicLongArray putsOfKey = new AtomicLongArray(keys);
        Progress progress = new Progress("operations", (long) clients * iters);
        List<Workload> workloads = new ArrayList<>();
        for (KvClient client : all) {
            int id = workloads.size() + 1;
            workloads.add(new Workload(client, id, size, putsOfKey, progress));
        }
        Clients running = new Clients();
        long start = System.nanoTime();
        for (Workload work : workloads) {
            running.start(
                    () -> {
                        work.run(iters, putPercent);
                        return null;
                    });
        }
        while (running.areBusy()) {
            if (!server.serve()) {
                Thread.yield();
            }
        }
        running.join();
        double seconds = (System.nanoTime() - start) / 1e9;

        checkAtRest(all.getFirst(), putsOfKey);
        long gets = workloads.stream().mapToLong(Workload::gets).sum();
        long again = all.stream().mapToLong(KvClient::again).sum();
        System.out.printf(
                "%d clients: %d GETs and %d PUTs in %.2f seconds%n",
                clients, gets, server.puts(), seconds);
        System.out.printf("%d READs caught a value half written and were repeated%n", again);
        System.out.println("Consistency verified: every value whole, none stale, no PUT lost.");
    }

    /** Each PUT raises the version of its key by 2, so the versions count them. */
    private void checkAtRest(KvClient client, AtomicLongArray putsOfKey) throws Exception {
        MemorySegment value = Arena.ofAuto().allocate(size, Long.BYTES);
        MemorySegment scratch = Arena.ofAuto().allocate(size, Long.BYTES);
        for (int key = 0; key < keys; key++) {
            long version = client.get(key, value);
            Check.equal("version of key " + key, 2 * putsOfKey.get(key), version);
            if (version > 0) {
                Workload.checkWhole(key, value, scratch);
            }
        }
    }
}
