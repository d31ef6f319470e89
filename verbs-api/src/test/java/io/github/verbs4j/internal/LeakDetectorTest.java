package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** In a JVM of its own, whose log is its standard error. */
class LeakDetectorTest {

    private static final String REPORT = "was garbage collected but never closed";

    @Test
    void reportsAnUnclosedObjectAndDoesNotDestroyIt() throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of(), List.of(), Program.class);
        assertEquals(0, result.exit(), result.output());
        assertTrue(result.output().contains("WARN io.github.verbs4j.leak"), result.output());
        assertTrue(result.output().contains("lost@1000 " + REPORT), result.output());
        assertTrue(result.output().contains("-Dverbs4j.leakTracking=true"), result.output());
        assertFalse(result.output().contains("closed@1000 " + REPORT), result.output());
        assertTrue(result.output().contains("destroyed: 1"), result.output());
    }

    @Test
    void saysWhereItWasCreatedWhenTrackingIsOn() throws Exception {
        ChildJvm.Result result =
                ChildJvm.run(List.of(), List.of("-Dverbs4j.leakTracking=true"), Program.class);
        assertEquals(0, result.exit(), result.output());
        assertTrue(result.output().contains("lost@1000 " + REPORT), result.output());
        assertTrue(result.output().contains("Program.lose("), result.output());
    }

    /** Loses a closed object, then one that is open, and waits until that is reported. */
    static final class Program {

        private static final AtomicInteger DESTROYED = new AtomicInteger();

        private Program() {}

        public static void main(String[] args) throws Exception {
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            PrintStream stderr = System.err;
            System.setErr(new PrintStream(log, true));
            WeakReference<Object> closed = lose("closed", true);
            collectUntil(() -> closed.refersTo(null));
            lose("lost", false);
            // The logger writes the stack trace after the message.
            String last =
                    Boolean.getBoolean("verbs4j.leakTracking") ? "Program.lose(" : "lost@1000";
            collectUntil(() -> log.toString().contains(last));
            stderr.print(log);
            System.out.println("destroyed: " + DESTROYED.get());
        }

        private static WeakReference<Object> lose(String name, boolean close) {
            NativeHandle handle =
                    NativeHandle.create(
                            name,
                            () -> MemorySegment.ofAddress(0x1000),
                            p -> DESTROYED.incrementAndGet());
            Object owner = new Object();
            LeakDetector.watch(owner, handle);
            if (close) {
                handle.close();
            }
            return new WeakReference<>(owner);
        }

        private static void collectUntil(BooleanSupplier done) throws InterruptedException {
            for (int tries = 0; !done.getAsBoolean(); tries++) {
                if (tries == 1000) {
                    System.exit(2);
                }
                System.gc();
                Thread.sleep(10);
            }
        }
    }
}
