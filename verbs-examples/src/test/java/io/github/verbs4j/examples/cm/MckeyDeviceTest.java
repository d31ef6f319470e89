package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multicast, which iWARP lacks. */
@RequiresDevice(Kind.ROCE)
class MckeyDeviceTest {

    private static final String GROUP = "239.1.2.3";
    private static final String JOINED = "mckey: joined dgid: ::ffff:239.1.2.3 mlid 0x0 sl 0";

    private static final List<String> RECEIVER =
            List.of(
                    "mckey: starting server",
                    "mckey: joining",
                    JOINED,
                    "receiving data transfers",
                    "data transfers complete",
                    "test complete",
                    "return status 0");

    private static final List<String> SENDER =
            List.of(
                    "mckey: starting client",
                    "mckey: joining",
                    JOINED,
                    "initiating data transfers",
                    "data transfers complete",
                    "test complete",
                    "return status 0");

    private String address;

    @BeforeEach
    void chooseAddress() {
        address = RdmaPorts.address().getHostAddress();
    }

    private String[] command(String options) {
        return ("mckey -m " + GROUP + " -b " + address + " " + options).trim().split(" +");
    }

    private static void assertLines(List<String> expected, Result result) {
        assertEquals(0, result.status(), result.toString());
        assertEquals(expected, result.out().lines().toList());
    }

    /** A member of the group. By lines: into a pipe the C tool prints when it ends. */
    private Tool startReceiverInC(String options) throws Exception {
        Tool receiver =
                Tool.start(
                        Stream.concat(Stream.of("stdbuf", "-oL"), Stream.of(command(options)))
                                .toArray(String[]::new));
        receiver.awaitOutput(JOINED);
        return receiver;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-C 2 -S 1024"})
    @DisplayName("receiver of ours, C sender")
    void receiverOfOursWithSenderInC(String options) throws Exception {
        Example receiver = Example.start(command(options));
        receiver.awaitOutput(JOINED);
        assertLines(SENDER, Tool.run(command("-s " + options)));
        assertLines(RECEIVER, receiver.await().succeeded());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"-C 3", "-C 2 -S 1024"})
    @DisplayName("sender of ours, C receiver")
    void senderOfOursWithReceiverInC(String options) throws Exception {
        try (Tool receiver = startReceiverInC(options)) {
            assertLines(SENDER, Example.run(command("-s " + options)).succeeded());
            assertLines(RECEIVER, receiver.await());
        }
    }

    @Test
    void oneSenderReachesEveryMember() throws Exception {
        try (Tool other = JavaTool.start(command("-C 2"))) {
            other.awaitOutput(JOINED);
            try (Tool c = startReceiverInC("-C 2")) {
                assertLines(SENDER, Example.run(command("-s -o -C 2")).succeeded());
                assertLines(RECEIVER, c.await());
            }
            assertLines(RECEIVER, other.await().succeeded());
        }
    }

    @Test
    void aSenderWithOtherMessagesIsSaid() throws Exception {
        Example receiver = Example.start(command("-C 2 -S 100"));
        receiver.awaitOutput(JOINED);
        assertEquals(0, Tool.run(command("-s -C 2 -S 60")).status());
        receiver.await()
                .failed(1, "a message of 60 bytes came that is none of 100 from the same tool");
    }

    @Test
    void aSenderThatIsGoneIsSaid() throws Exception {
        Example receiver = Example.start(command("-C 4 --patience 10"));
        receiver.awaitOutput(JOINED);
        assertEquals(0, Tool.run(command("-s -C 3")).status());
        receiver.await().failed(1, "mckey: 3 of 4 messages came, then none for 10 s");
    }

    @Test
    void wrongOptionsAreRefused() throws Exception {
        Example.run("mckey").failed(2, "Missing required option: '-m=GROUP'");
        Example.run("mckey", "-m", address).failed(2, address + " is no multicast group");
        Example.run("mckey", "-m", GROUP).failed(1, "there is no route to " + GROUP);
        Example.run(command("-o")).failed(2, "-o needs -s: one that only sends receives nothing");
        Example.run(command("-C -1")).failed(2, "-C must be 0 to 16000, was -1");
        Example.run(command("-S 4097")).failed(1, "is larger than active mtu ");
    }

    @Test
    void whatSoftRoceLacksIsRefused() throws Exception {
        Example.run("mckey", "-M", "ff12::1").failed(2, "option -M is not supported: ");
        Example.run(command("-l")).failed(2, "option -l is not supported: ");
        Example.run(command("-p 2")).failed(1, "needs an InfiniBand device");
    }
}
