package io.github.verbs4j.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MachineTest {

    private static final String LIBC =
            "7f01-7f02 r--p 00000000 fe:00 11  /usr/lib/x86_64-linux-gnu/libc.so.6";
    private static final String VERBS = "7f03-7f04 r--p 00000000 fe:00 12  /usr/lib64/";

    @AfterEach
    void forget() {
        System.clearProperty("verbs4j.bench.gcc");
        System.clearProperty("verbs4j.bench.commit");
    }

    @Test
    void theFileOfLibibverbsNamesTheVersionOfRdmaCore() {
        assertEquals(
                "44.0 (libibverbs.so.1.14.44.0)",
                Machine.rdmaCore(List.of(LIBC, VERBS + "libibverbs.so.1.14.44.0")));
    }

    @Test
    void aFileThatNamesNoVersionIsSaidAsItIs() {
        assertEquals("libibverbs.so.1", Machine.rdmaCore(List.of(LIBC, VERBS + "libibverbs.so.1")));
    }

    @Test
    void withoutLibibverbsItsVersionIsUnknown() {
        assertEquals("unknown", Machine.rdmaCore(List.of(LIBC)));
    }

    @Test
    void compilerAndCommitAreWhatTheScriptSays() {
        System.setProperty("verbs4j.bench.gcc", "gcc 12.2.0");
        System.setProperty("verbs4j.bench.commit", "0123456789ab+changes");
        assertEquals("gcc 12.2.0", Machine.describe().get("gcc"));
        assertEquals("0123456789ab+changes", Machine.describe().get("verbs4j"));
    }

    @Test
    void whatNobodySaidIsUnknown() {
        assertEquals("unknown", Machine.describe().get("gcc"));
        assertEquals("unknown", Machine.describe().get("verbs4j"));
        assertTrue(Machine.describe().get("system").startsWith("Linux "));
    }
}
