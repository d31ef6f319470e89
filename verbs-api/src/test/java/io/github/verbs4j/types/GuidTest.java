package io.github.verbs4j.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuidTest {
    private static final Guid GUID = new Guid(0x0200_00ff_fe00_0a01L);

    @Test
    void printsAsSysfsAndAsIbvDevices() {
        assertEquals("0200:00ff:fe00:0a01", GUID.toString());
        assertEquals("020000fffe000a01", GUID.toHex());
        assertEquals("ffff:ffff:ffff:ffff", new Guid(-1).toString());
    }

    @Test
    void readsBothForms() {
        assertEquals(GUID, Guid.parse("0200:00ff:fe00:0a01"));
        assertEquals(GUID, Guid.parse("020000FFFE000A01"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "020000fffe000a0",
                "020000fffe000a0x",
                "0200-00ff-fe00-0a01",
                "0200:00ff:fe00:0a0:",
                "-20000fffe000a01"
            })
    void refusesOtherText(String text) {
        assertThrows(IllegalArgumentException.class, () -> Guid.parse(text));
    }
}
