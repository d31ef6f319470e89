package io.github.verbs4j.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "report 2026.pdf", "gr\u00fc\u00dfe.txt", "-rf", "x..y", "~"})
    void plainNamesPass(String name) throws Exception {
        byte[] wire = (name + "\0").getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(wire, FileNames.encode(name));
        assertEquals(name, FileNames.decode(wire));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "/etc/passwd",
                "a/b",
                "a\\b",
                ".bashrc",
                "a\nb",
                "a\u001b[2J",
                "a\u007f",
                "a\u0000b",
                "a\u202etxt.exe",
                "\ud800"
            })
    void namesThatAreMoreThanANameAreRefused(String name) {
        byte[] wire = (name + "\0").getBytes(StandardCharsets.UTF_8);
        assertThrows(Refused.class, () -> FileNames.encode(name));
        if (!name.equals("\ud800")) {
            assertEquals(
                    Refusal.BAD_NAME,
                    assertThrows(Refused.class, () -> FileNames.decode(wire)).reason());
        }
    }

    @Test
    void namesOfTheWrongLengthOrFormAreRefused() throws Exception {
        String longest = "x".repeat(255);
        assertEquals(longest, FileNames.decode(FileNames.encode(longest)));
        assertThrows(Refused.class, () -> FileNames.encode(longest + "x"));
        assertThrows(Refused.class, () -> FileNames.decode(new byte[0]));
        assertThrows(Refused.class, () -> FileNames.decode(new byte[257]));
        assertThrows(Refused.class, () -> FileNames.decode("ab".getBytes("US-ASCII")));
        assertThrows(Refused.class, () -> FileNames.decode(new byte[] {(byte) 0xff, 0}));
    }
}
