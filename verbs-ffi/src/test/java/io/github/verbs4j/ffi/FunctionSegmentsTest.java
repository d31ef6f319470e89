package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FunctionSegmentsTest {

    private static final int ROUNDS = 40_000;
    private static final int FIRST = 0x1000;

    private final MethodHandle of = new FunctionSegments().dynamicInvoker();

    private MemorySegment of(long function) throws Throwable {
        return (MemorySegment) of.invokeExact(function);
    }

    private void callOften(int functions) throws Throwable {
        for (int i = 0; i < ROUNDS; i++) {
            long function = FIRST + i % functions;
            assertEquals(function, of(function).address());
        }
    }

    @Test
    @DisplayName("functions that are called often have one segment, made once")
    void theSameSegment() throws Throwable {
        callOften(FunctionSegments.MAX_KEPT);
        for (int i = 0; i < FunctionSegments.MAX_KEPT; i++) {
            assertSame(of(FIRST + i), of(FIRST + i));
        }
    }

    @Test
    @DisplayName("what is called now and then has none kept, and there may be more functions")
    void fewCallsAndMoreFunctions() throws Throwable {
        assertNotSame(of(FIRST), of(FIRST));
        callOften(FunctionSegments.MAX_KEPT + 3);
        int kept = 0;
        for (int i = 0; i < FunctionSegments.MAX_KEPT + 3; i++) {
            kept += of(FIRST + i) == of(FIRST + i) ? 1 : 0;
        }
        assertEquals(FunctionSegments.MAX_KEPT, kept);
    }

    @Test
    @DisplayName("threads that meet functions at the same time each reach their own")
    void threads() throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
            CountDownLatch ready = new CountDownLatch(4);
            List<Future<?>> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                threads.add(
                        executor.submit(
                                () -> {
                                    ready.countDown();
                                    ready.await();
                                    try {
                                        callOften(3);
                                    } catch (Throwable e) {
                                        throw new AssertionError(e);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> thread : threads) {
                thread.get(60, TimeUnit.SECONDS);
            }
        }
    }
}
