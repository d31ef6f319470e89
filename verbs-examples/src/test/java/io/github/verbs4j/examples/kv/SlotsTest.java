package io.github.verbs4j.examples.kv;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.examples.lessons.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SlotsTest {

    @AutoClose private final Arena arena = Arena.ofConfined();
    private final Slots slots = new Slots(8, 104);
    private final MemorySegment slot = arena.allocate(slots.slotBytes(), 64);
    private final MemorySegment value = arena.allocate(104, 8);

    @Test
    void anEmptySlotIsIntact() {
        assertTrue(slots.isIntact(slot));
        assertEquals(128, slots.slotBytes());
    }

    @Test
    void aPutRaisesTheVersionByTwo() {
        Check.fill(value, 1);
        assertEquals(2, slots.put(slot, 77, value));
        assertEquals(4, slots.put(slot, 77, value));
        assertEquals(4, Slots.version(slot));
        assertEquals(77, Slots.key(slot));
        assertEquals(-1, value.mismatch(slots.value(slot)));
        assertTrue(slots.isIntact(slot));
    }

    @Test
    void aSlotThatIsBeingWrittenIsNotIntact() {
        slots.put(slot, 77, value);
        slot.set(JAVA_LONG, 0, 3);
        assertFalse(slots.isIntact(slot));
    }

    @Test
    void everyMixOfTwoPutsIsNoticed() {
        MemorySegment before = arena.allocate(slots.slotBytes(), 64);
        Check.fill(value, 1);
        slots.put(slot, 77, value);
        before.copyFrom(slot);
        Check.fill(value, 2);
        slots.put(slot, 77, value);
        // A reader may see any beginning of the new slot with the rest of the old.
        for (int from = 1; from < 24 + 104; from++) {
            MemorySegment torn = arena.allocate(slots.slotBytes(), 64).copyFrom(before);
            torn.asSlice(0, from).copyFrom(slot.asSlice(0, from));
            assertFalse(slots.isIntact(torn), "torn at byte " + from);
        }
    }

    @Test
    void theSearchVisitsEverySlot() {
        int first = slots.first(-5);
        int slotIndex = first;
        for (int i = 0; i < 7; i++) {
            slotIndex = slots.next(slotIndex);
            assertNotEquals(first, slotIndex);
        }
        assertEquals(first, slots.next(slotIndex));
        assertEquals(7 * 128, slots.offset(7));
        assertEquals(8 * 128, slots.tableBytes());
    }
}
