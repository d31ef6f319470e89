package io.github.verbs4j.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {

    @Test
    void theLastElementTakesWhatDoesNotDivide() {
        Workload load = new Workload(Operation.WRITE, 10, 1, 1, 1, 4, false, Way.CLASSIC);
        assertEquals(2, load.sgeLength(0));
        assertEquals(4, load.sgeLength(3));
    }

    @Test
    void batchAndSignalsDivideTheDepth() {
        Workload one = Workload.single(Operation.WRITE, 8);
        assertThrows(IllegalArgumentException.class, () -> one.inFlight(16, 5, 1));
        assertThrows(IllegalArgumentException.class, () -> one.inFlight(16, 1, 3));
    }

    @Test
    void whatCannotBeCarriedOutIsRefused() {
        assertThrows(
                IllegalArgumentException.class, () -> Workload.single(Operation.FETCH_AND_ADD, 16));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Workload(Operation.READ, 8, 1, 1, 1, 1, true, Way.CLASSIC));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Workload(Operation.WRITE, 2, 1, 1, 1, 4, false, Way.CLASSIC));
    }

    @Test
    void aGreetingSurvivesItsLine() {
        Greeting greeting = new Greeting(Operation.SEND, 4096, 16, "v1:address");
        assertEquals(greeting, Greeting.parse(greeting.toLine().strip()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET / HTTP/1.1",
                "verbs4j-bench/2 SEND 8 1 a",
                "verbs4j-bench/1 SEND 8 0 a",
                "verbs4j-bench/1 JUMP 8 1 a",
                "verbs4j-bench/1 SEND x 1 a"
            })
    void otherLinesAreNoGreetings(String line) {
        assertThrows(IllegalArgumentException.class, () -> Greeting.parse(line));
    }
}
