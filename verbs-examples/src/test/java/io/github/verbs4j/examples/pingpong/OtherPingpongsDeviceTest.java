package io.github.verbs4j.examples.pingpong;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The relatives of rc-pingpong with their C twins. These sleep (-e): polling, they keep the only
 * processor of a guest from this side for a whole time slice per message.
 */
@RequiresDevice
class OtherPingpongsDeviceTest {

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "uc-pingpong, -n 200 -c",
        "uc-pingpong, -n 20 -s 100000 -c -m 4096 -l 3 -i 1 -e",
        "ud-pingpong, -n 200 -c",
        "ud-pingpong, -n 50 -s 4096 -c -e",
        "ud-pingpong, -n 50 -s 1 -r 2 -l 3 -i 1",
        "srq-pingpong, -n 200 -c",
        "srq-pingpong, -n 100 -q 1 -r 1 -l 3 -i 1 -e",
        "srq-pingpong, -n 100 -q 5 -r 5 -s 10000 -c -e"
    })
    void ourServerTheirClient(String name, String options) throws Exception {
        new PingpongPair(name).oursServes(options, withEvents(options));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "uc-pingpong, -n 200 -c",
        "uc-pingpong, -n 20 -s 100000 -c -m 4096 -l 3 -i 1 -e",
        "ud-pingpong, -n 200 -c",
        "ud-pingpong, -n 50 -s 4096 -c -e",
        "ud-pingpong, -n 50 -s 1 -r 2 -l 3 -i 1",
        "srq-pingpong, -n 200 -c",
        "srq-pingpong, -n 100 -q 1 -r 1 -l 3 -i 1 -e",
        "srq-pingpong, -n 100 -q 5 -r 5 -s 10000 -c -e"
    })
    void theirServerOurClient(String name, String options) throws Exception {
        new PingpongPair(name).theirsServes(options, withEvents(options));
    }

    private static String withEvents(String options) {
        return options.contains("-e") ? options : options + " -e";
    }

    @ParameterizedTest
    @CsvSource({"uc-pingpong", "ud-pingpong"})
    void aPeerThatIsKilledIsMissedWithinThePatience(String name) throws Exception {
        PingpongPair pair = new PingpongPair(name);
        Example server = pair.ours("-n 100000000 -e --patience 2");
        Ports.awaitListener(pair.port);
        try (Tool client = pair.theirs("-n 100000000 -e", "127.0.0.1")) {
            server.awaitOutput("remote address");
            client.kill();
            server.await().failed(1, name + ": no completion for 2 s: the peer is gone");
        }
    }

    @Test
    void aPeerWithAnotherNumberOfQueuePairsIsSaid() throws Exception {
        PingpongPair pair = new PingpongPair("srq-pingpong");
        Example server = pair.ours("-q 3");
        Ports.awaitListener(pair.port);
        try (Tool client = pair.theirs("-q 2 -e", "127.0.0.1")) {
            server.await()
                    .failed(1, "the peer uses 2 queue pairs, this side 3: give both the same -q");
            client.kill();
        }
    }

    @Test
    void sizesThatDoNotFitAreRefused() throws Exception {
        new PingpongPair("ud-pingpong")
                .ours("-s 100000")
                .await()
                .failed(1, "Requested size larger than port MTU");
        new PingpongPair("srq-pingpong")
                .ours("-q 4 -r 3")
                .await()
                .failed(2, "rx_depth 3 is too small for 4 QPs");
    }

    /** Where there is XRC the two would meet; Soft-RoCE has none, and each says so. */
    @Test
    void aDeviceWithoutXrcIsSaidAsByTheCTool() throws Exception {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            assumeTrue(TestDevice.isRxe(context), "Soft-RoCE has no XRC; this device may");
            PingpongPair pair = new PingpongPair("xsrq-pingpong");
            String name = context.device().name();
            pair.ours("").await().failed(1, "xsrq-pingpong: " + name + " has no XRC: ");
            pair.ours("", "127.0.0.1").await().failed(1, name + " has no XRC: ");
            try (Tool theirs = pair.theirs("")) {
                theirs.await().failed(1, "Couldn't Open the XRC Domain");
            }
        }
    }
}
