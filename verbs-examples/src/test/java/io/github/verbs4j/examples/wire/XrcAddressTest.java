package io.github.verbs4j.examples.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.types.Gid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class XrcAddressTest {

    private static final String MESSAGE =
            "0003:00002a:00002b:abcdef:000007:00000000000000000000ffff0a4d0001\0";
    private static final XrcAddress ADDRESS =
            new XrcAddress(3, 42, 43, 0xabcdef, 7, Gid.parse("::ffff:10.77.0.1"));

    @Test
    void theMessageIsThatOfTheCTool() {
        assertArrayEquals(MESSAGE.getBytes(StandardCharsets.US_ASCII), ADDRESS.toBytes());
        assertEquals(XrcAddress.BYTES, ADDRESS.toBytes().length);
        assertEquals(ADDRESS, XrcAddress.of(ADDRESS.toBytes()));
    }

    @Test
    void theTextIsThatOfTheCTool() {
        assertEquals(
                "LID 0003, QPN RECV 00002a SEND 00002b, PSN abcdef, SRQN 000007,"
                        + " GID ::ffff:10.77.0.1",
                ADDRESS.toString());
    }

    @Test
    void somethingElseIsNoAddress() {
        assertNull(XrcAddress.of(MESSAGE.replace(':', '-').getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void eachQueuePairConnectsToTheOtherKind() {
        assertEquals(43, ADDRESS.sender().qpNum());
        assertEquals(42, ADDRESS.receiver().qpNum());
    }

    @Test
    void aServerMeetsTwoClientsAndAllLeaveTogether() throws Exception {
        int port = Ports.free();
        Duration patience = Duration.ofSeconds(20);
        List<XrcAddress> seen = new ArrayList<>();
        try (XrcRendezvous server = new XrcRendezvous(null, port, 2, patience)) {
            List<CompletableFuture<XrcAddress>> clients = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                XrcAddress mine = new XrcAddress(0, i, i, i, i, Gid.of(0, i));
                clients.add(
                        CompletableFuture.supplyAsync(
                                () -> client(port, mine, patience),
                                task -> new Thread(task).start()));
                server.meet(ADDRESS, seen::add);
            }
            server.end();
            for (CompletableFuture<XrcAddress> client : clients) {
                assertEquals(ADDRESS, client.get(20, TimeUnit.SECONDS));
            }
        }
        assertEquals(List.of(1, 2), seen.stream().map(XrcAddress::srqNum).toList());
    }

    private static XrcAddress client(int port, XrcAddress mine, Duration patience) {
        List<XrcAddress> theirs = new ArrayList<>();
        try (XrcRendezvous client = new XrcRendezvous("127.0.0.1", port, 1, patience)) {
            client.meet(mine, theirs::add);
            client.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return theirs.getFirst();
    }
}
