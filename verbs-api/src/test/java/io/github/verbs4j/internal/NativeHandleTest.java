package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeHandleTest {

    private final List<String> destroyed = Collections.synchronizedList(new ArrayList<>());

    private NativeHandle handle(String name, NativeHandle... parents) {
        return NativeHandle.create(
                name, () -> MemorySegment.ofAddress(0x1000), p -> destroyed.add(name), parents);
    }

    private NativeHandle failing(String name, NativeHandle... parents) {
        return NativeHandle.create(
                name,
                () -> MemorySegment.ofAddress(0x1000),
                p -> {
                    destroyed.add(name);
                    throw new IllegalArgumentException(name + " failed");
                },
                parents);
    }

    @Test
    void closesWhatIsOpenBelowNewestFirstThenItself() {
        NativeHandle context = handle("context");
        NativeHandle pd = handle("pd", context);
        NativeHandle cq = handle("cq", context);
        handle("mr", pd);
        handle("qp", pd, cq);
        context.close();
        assertEquals(List.of("qp", "cq", "mr", "pd", "context"), destroyed);
    }

    @Test
    void closesOnce() {
        NativeHandle context = handle("context");
        NativeHandle pd = handle("pd", context);
        pd.close();
        pd.close();
        context.close();
        context.close();
        assertEquals(List.of("pd", "context"), destroyed);
    }

    @Test
    void isClosedForCallsAfterClose() {
        NativeHandle pd = handle("pd");
        assertTrue(pd.isOpen());
        pd.close();
        assertFalse(pd.isOpen());
        String message = assertThrows(IllegalStateException.class, pd::acquire).getMessage();
        assertEquals("pd is closed", message);
        assertThrows(IllegalStateException.class, pd::pointer);
        assertThrows(IllegalStateException.class, () -> pd.call(p -> 0));
        assertThrows(IllegalStateException.class, () -> pd.within(p -> p));
    }

    @Test
    void refusesChildrenOnceClosedAndDoesNotCreateThem() {
        NativeHandle context = handle("context");
        NativeHandle cq = handle("cq", context);
        cq.close();
        AtomicBoolean created = new AtomicBoolean();
        assertThrows(
                IllegalStateException.class,
                () ->
                        NativeHandle.create(
                                "qp",
                                () -> {
                                    created.set(true);
                                    return MemorySegment.NULL;
                                },
                                p -> {},
                                context,
                                cq));
        assertFalse(created.get());
        context.close(); // would wait for ever had the refused child not left it
        assertEquals(List.of("cq", "context"), destroyed);
    }

    @Test
    void leavesItsParentsWhenCreationFails() {
        NativeHandle context = handle("context");
        assertThrows(
                ArithmeticException.class,
                () ->
                        NativeHandle.create(
                                "pd",
                                () -> {
                                    throw new ArithmeticException();
                                },
                                p -> {},
                                context));
        context.close();
        assertEquals(List.of("context"), destroyed);
    }

    @Test
    void reportsTheFirstFailureAfterTheRestAndCountsAsClosed() {
        NativeHandle context = failing("context");
        handle("pd", context);
        failing("cq", context);
        failing("channel", context);
        RuntimeException failure = assertThrows(IllegalArgumentException.class, context::close);
        assertEquals(List.of("channel", "cq", "pd", "context"), destroyed);
        assertEquals("channel failed", failure.getMessage());
        assertEquals(
                List.of("cq failed", "context failed"),
                List.of(failure.getSuppressed()).stream().map(Throwable::getMessage).toList());
        assertFalse(context.isOpen());
        assertDoesNotThrow(context::close);
        assertEquals(4, destroyed.size());
    }

    @Test
    void destroysNothingTwiceWhateverIsThrown() {
        NativeHandle context = handle("context");
        NativeHandle cq =
                NativeHandle.create(
                        "cq",
                        () -> MemorySegment.ofAddress(0x2000),
                        p -> {
                            destroyed.add("cq");
                            throw new StackOverflowError();
                        },
                        context);
        assertThrows(StackOverflowError.class, cq::close);
        assertDoesNotThrow(cq::close);
        assertDoesNotThrow(context::close);
        assertEquals(List.of("cq", "context"), destroyed);
    }

    @Test
    void waitsForGatedCallsOnlyAndForAllBeforeItDestroys() throws Exception {
        NativeHandle qp = handle("qp");
        assertEquals(0x1000, qp.enterGate());
        qp.acquire();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            AtomicBoolean left = new AtomicBoolean();
            Future<?> gated =
                    threads.submit(
                            () -> {
                                qp.awaitGated();
                                assertTrue(left.get());
                            });
            left.set(true);
            qp.leaveGate();
            gated.get(20, TimeUnit.SECONDS);
            qp.enterGate();
            Future<?> close = threads.submit(qp::close);
            while (qp.isOpen()) {
                Thread.yield();
            }
            assertThrows(IllegalStateException.class, qp::enterGate);
            qp.release();
            assertEquals(List.of(), destroyed);
            qp.leaveGate();
            close.get(20, TimeUnit.SECONDS);
            qp.awaitGated();
        }
        assertEquals(List.of("qp"), destroyed);
    }

    @Test
    void waitsForCallsInsideBeforeItDestroys() throws Exception {
        NativeHandle cq = handle("cq");
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<MemorySegment> call =
                    threads.submit(
                            () ->
                                    cq.within(
                                            pointer -> {
                                                inside.countDown();
                                                await(leave);
                                                assertEquals(List.of(), destroyed);
                                                return pointer;
                                            }));
            await(inside);
            Future<?> close = threads.submit(cq::close);
            while (cq.isOpen()) {
                Thread.yield();
            }
            assertThrows(IllegalStateException.class, cq::acquire);
            assertFalse(close.isDone());
            leave.countDown();
            assertEquals(0x1000, call.get().address());
            close.get();
        }
        assertEquals(List.of("cq"), destroyed);
    }

    @Test
    void closesOnceFromManyThreadsAndAllReturnAfterTheEnd() throws Exception {
        for (int round = 0; round < 200; round++) {
            destroyed.clear();
            NativeHandle context = handle("context");
            NativeHandle pd = handle("pd", context);
            handle("mr", pd);
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> closes = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (NativeHandle handle : List.of(context, pd, context, pd)) {
                    closes.add(
                            threads.submit(
                                    () -> {
                                        await(start);
                                        handle.close();
                                        assertTrue(destroyed.contains("mr"));
                                    }));
                }
                start.countDown();
                for (Future<?> close : closes) {
                    close.get();
                }
            }
            assertEquals(List.of("mr", "pd", "context"), destroyed);
        }
    }

    @Test
    void neverDestroysUnderACallHoweverTheThreadsRun() throws Exception {
        for (int round = 0; round < 200; round++) {
            AtomicBoolean gone = new AtomicBoolean();
            NativeHandle cq =
                    NativeHandle.create("cq", () -> MemorySegment.NULL, p -> gone.set(true));
            try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
                List<Future<Boolean>> callers = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    callers.add(threads.submit(() -> callUntilClosed(cq, gone)));
                }
                threads.submit(cq::close).get();
                for (Future<Boolean> caller : callers) {
                    assertTrue(caller.get(), "a call ran on a destroyed object");
                }
            }
        }
    }

    private static boolean callUntilClosed(NativeHandle handle, AtomicBoolean gone) {
        try {
            while (handle.call(p -> gone.get() ? 1 : 0) == 0) {
                Thread.onSpinWait();
            }
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    void belongsToItsNewParentAfterReparenting() {
        NativeHandle context = handle("context");
        NativeHandle oldPd = handle("old pd", context);
        NativeHandle newPd = handle("new pd", context);
        NativeHandle mr = handle("mr", oldPd);
        mr.reparent(oldPd, newPd);
        oldPd.close();
        assertTrue(mr.isOpen());
        newPd.close();
        assertFalse(mr.isOpen());
        assertEquals(List.of("old pd", "mr", "new pd"), destroyed);
        context.close();
    }

    @Test
    void closesAnAdoptedObjectFirstAndADisownedOneNot() {
        NativeHandle pd = handle("pd");
        NativeHandle mr = handle("mr", pd);
        NativeHandle mw = handle("mw", pd);
        NativeHandle other = handle("other", pd);
        mr.adopt(mw);
        mr.adopt(other);
        mr.disown(other);
        mr.close();
        assertEquals(List.of("mw", "mr"), destroyed);
        assertTrue(other.isOpen());
        pd.close();
        assertEquals(List.of("mw", "mr", "other", "pd"), destroyed);
    }

    @Test
    void namesItselfByItsPointer() {
        NativeHandle pd = handle("pd");
        assertEquals("pd@1000", pd.toString());
        assertEquals(0x1000L, pd.pointer().address());
        pd.close();
        assertEquals("pd@1000", pd.toString());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
