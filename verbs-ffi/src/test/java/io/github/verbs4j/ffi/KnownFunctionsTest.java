package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.SegmentCalls.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KnownFunctionsTest {

    private final KnownFunctions functions = new KnownFunctions();
    private final SegmentCalls calls = new SegmentCalls(functions);

    @Test
    @DisplayName("each function has one segment from the first call on, and more may come later")
    void oneSegmentEach() {
        for (int known = 1; known <= 10; known++) {
            functions.add(FIRST + known - 1);
            functions.add(FIRST);
            calls.callOften(known);
            for (int i = 0; i < known; i++) {
                assertSame(calls.of(FIRST + i), calls.of(FIRST + i));
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
        assertEquals(FIRST + 1, calls.of(FIRST + 1).address());
        assertEquals(FIRST, calls.of(FIRST).address());
    }

    @Test
    @DisplayName("nothing is called before anything is known")
    void nothingIsKnown() {
        assertThrows(IllegalStateException.class, () -> calls.of(FIRST));
    }

    @Test
    @DisplayName("a thread amid calls is not led astray by functions that others make known")
    void threads() throws Exception {
        functions.add(FIRST);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<?> thread =
                    executor.submit(
                            () -> {
                                for (int i = 0; i < 50; i++) {
                                    calls.callOften(1);
                                }
                            });
            for (int known = 2; !thread.isDone() && known < 100; known++) {
                functions.add(FIRST + known - 1);
                long function = FIRST + known - 1;
                assertEquals(function, calls.of(function).address());
            }
            thread.get(60, TimeUnit.SECONDS);
        }
    }
}
