package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.PendingRead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegisteredMemoryTest {

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment = arena.allocate(4096);
    private final RegisteredMemory memory = new RegisteredMemory(segment, arena);

    @Test
    @DisplayName("memory that nobody is inside of is freed at once, and only once")
    void unused() {
        assertTrue(memory.release(() -> {}));
        assertFalse(segment.scope().isAlive());
        memory.release();
    }

    @Test
    @DisplayName("memory that a read is inside of is freed when that ends, interrupted or not")
    void inUse() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        try (PendingRead _ = new PendingRead(segment)) {
            Thread.currentThread().interrupt();
            boolean atOnce = memory.release(late::countDown);
            assertTrue(Thread.interrupted());
            assertFalse(atOnce);
            assertTrue(segment.scope().isAlive());
            assertEquals(1, late.getCount());
        }
        assertTrue(late.await(20, TimeUnit.SECONDS));
        assertFalse(segment.scope().isAlive());
    }

    @Test
    @DisplayName("memory that is replaced while a read is inside of it is freed when that ends")
    void replaced() throws Exception {
        MemorySegment other = MemorySegment.NULL;
        try (PendingRead _ = new PendingRead(segment)) {
            memory.replace(other);
            assertEquals(other, memory.segment());
            assertTrue(segment.scope().isAlive());
        }
        PendingRead.awaitFreed(segment);
    }

    @Test
    @DisplayName("memory in use waits for no other, and what cannot be freed stops none")
    void several() throws Exception {
        Arena otherArena = Arena.ofShared();
        MemorySegment other = otherArena.allocate(8);
        RegisteredMemory second = new RegisteredMemory(other, otherArena);
        try (PendingRead _ = new PendingRead(segment)) {
            assertFalse(memory.release(() -> {}));
            try (PendingRead _ = new PendingRead(other)) {
                assertFalse(
                        second.release(
                                () -> {
                                    throw new IllegalStateException("the domain is closed");
                                }));
            }
            PendingRead.awaitFreed(other);
            assertTrue(segment.scope().isAlive());
        }
        PendingRead.awaitFreed(segment);
    }
}
