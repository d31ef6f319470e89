package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {

    private static final String PORT = "verbs4j.bench.port";

    @AfterEach
    void forget() {
        System.clearProperty(PORT);
    }

    @Test
    void theBoundsThemselvesAreTaken() {
        assertEquals(1, Numbers.between("n", "1", 1, 255));
        assertEquals(255, Numbers.between("n", "255", 1, 255));
    }

    @Test
    void theMessageSaysWhatIsTaken() {
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Numbers.between("port", "99999999999", 1, 255));
        assertEquals("port takes a number from 1 to 255, not \"99999999999\"", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999999999", "256", "0", "", "1x", "0x1"})
    void aPortOfADeviceThatIsNoneIsRefusedAndNotTakenForTheFirst(String text) {
        System.setProperty(PORT, text);
        assertThrows(IllegalArgumentException.class, DeviceChoice::fromProperties);
    }

    @Test
    void leadingZerosAreNotOctal() {
        System.setProperty(PORT, "010");
        assertEquals(10, DeviceChoice.fromProperties().port());
    }

    @Test
    void withoutPropertiesItIsTheFirstPortAndTheBestGid() {
        assertEquals(
                new DeviceChoice(Optional.empty(), 1, -1, Optional.empty()),
                DeviceChoice.fromProperties());
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:0", "host:65536", "host:99999999999", "host:", "host"})
    void aPeersPortThatIsNoneIsRefused(String peer) {
        assertThrows(IllegalArgumentException.class, () -> PeerLink.connect(peer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 1", "8 0", "8 16385", "1073741825 1", "99999999999 1", "x 1"})
    void aClientsSizesAndDepthsAreBounded(String numbers) {
        String line = "verbs4j-bench/1 SEND " + numbers + " address";
        assertThrows(IllegalArgumentException.class, () -> Greeting.parse(line));
    }
}
