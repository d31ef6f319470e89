package io.github.verbs4j.examples.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.types.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PingpongAddressTest {

    private static final PingpongAddress ADDRESS =
            new PingpongAddress(0x1f, 0x11, 0xa050f6, Gid.parse("::ffff:10.77.0.1"));
    private static final byte[] MESSAGE =
            "001f:000011:a050f6:00000000000000000000ffff0a4d0001\0"
                    .getBytes(StandardCharsets.US_ASCII);

    @Test
    void messageIsTheTextOfTheCToolsWithItsNul() {
        assertEquals(52, MESSAGE.length);
        assertArrayEquals(MESSAGE, ADDRESS.toBytes());
    }

    @Test
    void messageIsReadBack() {
        assertEquals(ADDRESS, PingpongAddress.of(MESSAGE));
        PingpongAddress largest = new PingpongAddress(0xffff, 0xffffff, 0xffffff, Gid.of(-1L, -1L));
        assertEquals(52, largest.toBytes().length);
        assertEquals(largest, PingpongAddress.of(largest.toBytes()));
    }

    @Test
    void textIsThatOfTheCTools() {
        assertEquals(
                "LID 0x001f, QPN 0x000011, PSN 0xa050f6, GID ::ffff:10.77.0.1", ADDRESS.toString());
        assertEquals(
                "LID 0x0001, QPN 0x000002, PSN 0x000003, GID ::",
                new PingpongAddress(1, 2, 3, Gid.of(0, 0)).toString());
    }

    @Test
    void everyWrongByteIsNoticed() {
        for (int i = 0; i < MESSAGE.length; i++) {
            byte[] wrong = MESSAGE.clone();
            wrong[i] = ' ';
            assertTrue(PingpongAddress.isPlausible(wrong, i), "before byte " + i);
            assertFalse(PingpongAddress.isPlausible(wrong, i + 1), "at byte " + i);
        }
        assertTrue(PingpongAddress.isPlausible(MESSAGE, MESSAGE.length));
    }
}
