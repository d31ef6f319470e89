package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KnownFunctionsTest {

    private static final int ROUNDS = 40_000;
    private static final int FIRST = 0x1000;

    private final KnownFunctions functions = new KnownFunctions();
    private final MethodHandle of = functions.dynamicInvoker();

    private MemorySegment of(long function) throws Throwable {
        return (MemorySegment) of.invokeExact(function);
    }

    private void callOften(int known) throws Throwable {
        for (int i = 0; i < ROUNDS; i++) {
            long function = FIRST + i % known;
            assertEquals(function, of(function).address());
        }
    }

    @Test
    @DisplayName("each function has one segment from the first call on, and more may come later")
    void oneSegmentEach() throws Throwable {
        for (int known = 1; known <= 10; known++) {
            functions.add(FIRST + known - 1);
            functions.add(FIRST);
            callOften(known);
            for (int i = 0; i < known; i++) {
                assertSame(of(FIRST + i), of(FIRST + i));
            }
        }
    }

    /** Adds a function wherever the stack ends, until that works; returns how often it did not. */
    private int addAtTheEndOfTheStack(KnownFunctions to, long function) {
        int failures;
        try {
            failures = addAtTheEndOfTheStack(to, function);
        } catch (StackOverflowError e) {
            failures = 0;
        }
        if (failures >= 0) {
            try {
                to.add(function);
                return -1 - failures; // known: those above do not try
            } catch (StackOverflowError e) {
                return failures + 1;
            }
        }
        return failures;
    }

    @Test
    @DisplayName("a function that could not be made known for want of stack is so by a later try")
    void littleStack() throws Exception {
        KnownFunctions warm = new KnownFunctions();
        warm.add(FIRST);
        warm.add(FIRST + 1); // the classes of the JDK are there
        int[] failures = new int[1];
        Thread small =
                new Thread(
                        null,
                        () -> {
                            functions.add(FIRST);
                            failures[0] = -1 - addAtTheEndOfTheStack(functions, FIRST + 1);
                        },
                        "small",
                        256 << 10);
        small.start();
        small.join(60_000);
        assertTrue(failures[0] > 0, "none failed");
        assertEquals(FIRST + 1, assertOf(FIRST + 1));
        assertEquals(FIRST, assertOf(FIRST));
    }

    @Test
    @DisplayName("nothing is called before anything is known")
    void nothingIsKnown() {
        assertThrows(IllegalStateException.class, () -> of(FIRST));
    }

    @Test
    @DisplayName("a thread amid calls is not led astray by functions that others make known")
    void threads() throws Exception {
        functions.add(FIRST);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> calls =
                    executor.submit(
                            () -> {
                                try {
                                    for (int i = 0; i < 50; i++) {
                                        callOften(1);
                                    }
                                } catch (Throwable e) {
                                    throw new AssertionError(e);
                                }
                            });
            for (int known = 2; !calls.isDone() && known < 100; known++) {
                functions.add(FIRST + known - 1);
                long function = FIRST + known - 1;
                assertEquals(function, assertOf(function));
            }
            calls.get(60, TimeUnit.SECONDS);
        }
    }

    private long assertOf(long function) {
        try {
            return of(function).address();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
