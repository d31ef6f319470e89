package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.testing.Threads;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Several threads do whatever comes to their minds with objects that they share, closing included.
 * Nothing but the documented exceptions may come out, and all threads must come to an end. {@code
 * -Dverbs4j.stressSeed} and {@code -Dverbs4j.stressSteps} make another walk, and a longer one.
 */
@RequiresDevice(TestDevice.Kind.RXE)
class LifetimeStressDeviceTest {

    private static final int THREADS = 4;
    private static final int STEPS = Integer.getInteger("verbs4j.stressSteps", 2000);
    private static final int SEED = Integer.getInteger("verbs4j.stressSeed", 4711);

    /** How many objects of each kind the threads share. */
    private static final int SLOTS = 3;

    private final AtomicReferenceArray<Context> contexts = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<ProtectionDomain> pds = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<MemoryRegion> mrs = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<MemoryWindow> mws = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<CompletionChannel> channels =
            new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<CompletionQueue> cqs = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<QueuePair> qps = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    @Test
    @DisplayName("TH-06 R random calls and closes from several threads: only documented exceptions")
    void randomCallsFromSeveralThreads() throws Exception {
        Device device = TestDevice.get(TestDevice.Kind.RXE);
        for (int slot = 0; slot < SLOTS; slot++) {
            contexts.set(slot, device.open());
        }
        List<FutureTask<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = new SplittableRandom(SEED + i);
            threads.add(
                    i % 2 == 0
                            ? Threads.start(() -> walk(device, random))
                            : Threads.startVirtual(() -> walk(device, random)));
        }
        try {
            for (FutureTask<Void> thread : threads) {
                Threads.join(thread);
            }
        } finally {
            for (int slot = 0; slot < SLOTS; slot++) {
                contexts.get(slot).close();
            }
        }
        assertEquals((long) THREADS * STEPS, done.get() + refused.get());
        // Mostly three of ten; how many depends on how the threads run.
        assertTrue(done.get() > STEPS / 2, done + " went through, " + refused + " were refused");
    }

    private Void walk(Device device, SplittableRandom random) throws Exception {
        WcArray wc = new WcArray(4);
        for (int i = 0; i < STEPS; i++) {
            try {
                step(device, random, wc);
                done.incrementAndGet();
            } catch (IllegalStateException | IllegalArgumentException e) {
                refused.incrementAndGet();
            } catch (VerbsException e) {
                // In the right order nothing fails to close.
                assertFalse(e.verb().matches("ibv_(close|dealloc|dereg|destroy)_.*"), e::toString);
                refused.incrementAndGet();
            }
        }
        return null;
    }

    private void step(Device device, SplittableRandom random, WcArray wc) throws Exception {
        int slot = random.nextInt(SLOTS);
        Context context = any(contexts, random);
        switch (random.nextInt(100)) {
            case 0 -> {
                context.close();
                put(contexts, slot, device.open());
            }
            case 1, 2 -> any(pds, random).close();
            case 3, 4 -> any(channels, random).close();
            case 5, 6, 7 -> any(cqs, random).close();
            case 8, 9, 10 -> any(qps, random).close();
            case 11, 12, 13 -> any(mrs, random).close();
            case 14, 15 -> any(mws, random).close();
            case 16, 17, 18, 19 -> put(pds, slot, context.allocPd());
            case 20, 21, 22 -> put(channels, slot, context.createCompChannel());
            case 23, 24, 25 -> put(cqs, slot, context.createCq(16));
            case 26, 27, 28 ->
                    put(
                            cqs,
                            slot,
                            context.createCq(new CqInitAttr(16).channel(any(channels, random))));
            case 29, 30, 31, 32, 33 -> put(mrs, slot, newMr(any(pds, random)));
            case 34, 35, 36, 37 ->
                    put(mws, slot, any(pds, random).allocMw(any(MwType.values(), random)));
            case 38, 39, 40, 41, 42 -> put(qps, slot, newQp(random));
            case 43, 44, 45 -> connectToItself(any(qps, random));
            case 46, 47 -> any(cqs, random).resize(1 + random.nextInt(100));
            case 48, 49 -> any(cqs, random).reqNotify(random.nextBoolean());
            case 50, 51 -> any(channels, random).getCqEvent(Duration.ofMillis(random.nextInt(3)));
            case 52, 53 -> any(mrs, random).segment().set(JAVA_BYTE, 0, (byte) 1);
            case 54, 55 -> any(qps, random).query();
            case 56 -> context.gidTable();
            case 57, 58 -> any(mrs, random).reregMr(any(pds, random));
            case 59, 60 -> postBind(any(qps, random), random);
            case 61, 62 -> any(qps, random).postSend(new SendWr(0).localInv(any(mws, random)));
            case 63 -> any(qps, random).modify(QpAttr.of(QpState.RESET));
            case 64 -> any(qps, random).modify(QpAttr.of(QpState.ERR));
            case 65, 66, 67 -> bindType1(any(qps, random), random);
            case 68, 69, 70, 71, 72, 73 ->
                    any(qps, random).postRecv(new RecvWr(1).sge(any(mrs, random), 0, 64));
            default -> {
                if (random.nextBoolean()) {
                    postWrite(any(qps, random), random);
                } else {
                    any(cqs, random).poll(wc);
                }
            }
        }
    }

    private static <T> T any(AtomicReferenceArray<T> objects, SplittableRandom random) {
        T object = objects.get(random.nextInt(SLOTS));
        if (object == null) {
            throw new IllegalStateException("not made yet");
        }
        return object;
    }

    private static <T extends AutoCloseable> void put(
            AtomicReferenceArray<T> objects, int slot, T object) throws Exception {
        T before = objects.getAndSet(slot, object);
        if (before != null) {
            before.close();
        }
    }

    private static <T> T any(T[] objects, SplittableRandom random) {
        return objects[random.nextInt(objects.length)];
    }

    private static MemoryRegion newMr(ProtectionDomain pd) {
        return pd.allocateMr(4096, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, MW_BIND);
    }

    private QueuePair newQp(SplittableRandom random) {
        return any(pds, random)
                .createQp(new QpInitAttr(QpType.RC, any(cqs, random), any(cqs, random)));
    }

    private static void connectToItself(QueuePair qp) {
        GidEntry gid = qp.context().defaultGid(1);
        qp.modify(QpAttr.init(1).qpAccessFlags(LoopbackPair.QP_ALL));
        qp.modify(QpAttr.rtr(gid, qp.localAddress(gid)).maxDestRdAtomic(1));
        qp.modify(QpAttr.rts(qp.localAddress(gid).psn()).retryCnt(1).rnrRetry(1));
    }

    private void postWrite(QueuePair qp, SplittableRandom random) {
        MemoryRegion from = any(mrs, random);
        MemoryRegion to = any(mrs, random);
        SendWr wr = new SendWr(1).write(from, 0, 512, to.remote(), 0);
        if (random.nextInt(4) == 0) {
            wr.send(from, 0, 8);
        }
        qp.tryPostSend(wr);
    }

    private void postBind(QueuePair qp, SplittableRandom random) {
        MwBind bind = new MwBind(any(mrs, random), REMOTE_READ);
        qp.postSend(new SendWr(0).bindMw(any(mws, random), bind));
    }

    private void bindType1(QueuePair qp, SplittableRandom random) {
        MwBind bind = new MwBind(any(mrs, random), REMOTE_READ);
        qp.bindMw(any(mws, random), bind, 0, SendFlags.SIGNALED);
    }

    @Test
    @DisplayName("TH-03 six threads make and close domains, queues, queue pairs and regions")
    void sixThreadsMakeAndClose() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            List<Integer> made =
                    Threads.run(
                            6,
                            () -> {
                                int n = 0;
                                for (; n < 30; n++) {
                                    try (ProtectionDomain pd = context.allocPd();
                                            CompletionQueue cq = context.createCq(16);
                                            MemoryRegion mr = newMr(pd);
                                            QueuePair qp =
                                                    pd.createQp(new QpInitAttr(QpType.RC, cq))) {
                                        assertTrue(mr.isOpen() && qp.isOpen());
                                    }
                                }
                                return n;
                            });
            assertEquals(List.of(30, 30, 30, 30, 30, 30), made);
        }
    }

    @Test
    @DisplayName("R a domain that closes while regions are made in it leaves none behind")
    void domainClosesWhileRegionsAreMade() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.RXE).open()) {
            for (int round = 0; round < 100; round++) {
                ProtectionDomain pd = context.allocPd();
                CountDownLatch making = new CountDownLatch(1);
                FutureTask<Void> maker = Threads.start(() -> makeUntilClosed(pd, making));
                making.await();
                pd.close(); // EBUSY, and an exception, if a region were left
                Threads.join(maker);
            }
        }
    }

    private static Void makeUntilClosed(ProtectionDomain pd, CountDownLatch making) {
        List<MemoryRegion> made = new ArrayList<>();
        try {
            while (true) {
                made.add(newMr(pd));
                making.countDown();
            }
        } catch (IllegalStateException e) {
            for (MemoryRegion mr : made) {
                while (mr.isOpen()) {
                    Thread.onSpinWait(); // pd.close is at it
                }
            }
            return null;
        }
    }
}
