package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.SegmentCalls.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

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

    private final SegmentCalls calls = new SegmentCalls(new FunctionSegments());

    @Test
    @DisplayName("functions that are called often have one segment, made once")
    void theSameSegment() {
        calls.callOften(FunctionSegments.MAX_KEPT);
        for (int i = 0; i < FunctionSegments.MAX_KEPT; i++) {
            assertSame(calls.of(FIRST + i), calls.of(FIRST + i));
        }
    }

    @Test
    @DisplayName("what is called now and then has none kept, and there may be more functions")
    void fewCallsAndMoreFunctions() {
        assertNotSame(calls.of(FIRST), calls.of(FIRST));
        calls.callOften(FunctionSegments.MAX_KEPT + 3);
        int kept = 0;
        for (int i = 0; i < FunctionSegments.MAX_KEPT + 3; i++) {
            kept += calls.of(FIRST + i) == calls.of(FIRST + i) ? 1 : 0;
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
                                    calls.callOften(3);
                                    return null;
                                }));
            }
            for (Future<?> thread : threads) {
                thread.get(60, TimeUnit.SECONDS);
            }
        }
    }
}
