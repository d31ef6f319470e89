package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.StrangerProcess;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every example must do: succeed with its check on, and say in one line what is wrong when its
 * options are, when its peer is none, dies, or is not there. An example that has no row here fails.
 */
@RequiresDevice
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EveryExampleDeviceTest {

    /** How two sides find each other. */
    private enum Meeting {
        /** There is one side only. */
        NONE,
        /** Over a TCP socket. */
        TCP,
        /** By the connection manager. */
        CM,
        /** By the connection manager, as datagrams on a port that the tool does not let choose. */
        CM_DATAGRAMS,
        /** By the connection manager, on a port that the server chooses and prints. */
        CM_PRINTED
    }

    /**
     * An example.
     *
     * @param command the whole example, or its client
     * @param server its server; null where there is none
     */
    private record Row(String command, Meeting meeting, String server) {

        static Row alone(String command) {
            return new Row(command, Meeting.NONE, null);
        }

        /** A pair of which HOST makes a client. */
        static Row pingpong(String name, String options) {
            String server = name + " -d {dev} -g {gid} -p {port} " + options;
            return new Row(server + " 127.0.0.1", Meeting.TCP, server);
        }

        String name() {
            return command.split(" ")[0];
        }

        @Override
        public String toString() {
            return name();
        }
    }

    private static final String RDMA_CLIENT = "rdma-client -s {addr} -p {port}";
    private static final String RDMA_SERVER = "rdma-server -s {addr} -p {port}";

    private static final Map<String, Row> ROWS =
            Stream.of(
                            Row.alone("demo -d {dev} -n 3"),
                            Row.alone("devices"),
                            Row.alone("devinfo -d {dev} -v"),
                            Row.alone("asyncwatch -d {dev} --count 0"),
                            Row.pingpong("rc-pingpong", "-n 50 -c"),
                            Row.pingpong("uc-pingpong", "-n 50 -c"),
                            Row.pingpong("ud-pingpong", "-n 50 -c"),
                            Row.pingpong("srq-pingpong", "-n 50 -c"),
                            Row.pingpong("xsrq-pingpong", ""),
                            Row.alone("gather-scatter -d {dev}"),
                            Row.alone("inline -d {dev} -n 20"),
                            Row.alone("unsignaled -d {dev} -n 64"),
                            Row.alone("fence -d {dev} -n 20"),
                            Row.alone("atomics -d {dev} -n 10"),
                            Row.alone("srq -d {dev} -n 10"),
                            Row.alone("zcopy -d {dev} -n 2 -s 16384"),
                            Row.alone("kv-store -d {dev} -n 50"),
                            new Row(
                                    "rping -c -a {addr} -p {port} -V -C 3",
                                    Meeting.CM,
                                    "rping -s -a {addr} -p {port} -V -C 3"),
                            new Row(
                                    "file-transfer -p {port} {addr} {file}",
                                    Meeting.CM,
                                    "file-transfer -b {addr} -p {port} -o {folder} -n 1"),
                            new Row(
                                    "read-write write {addr} {port}",
                                    Meeting.CM_PRINTED,
                                    "read-write write -b {addr}"),
                            new Row(
                                    "basic-client-server {addr} {port}",
                                    Meeting.CM_PRINTED,
                                    "basic-client-server -b {addr}"),
                            new Row(RDMA_CLIENT, Meeting.CM, RDMA_SERVER),
                            // The server of the row before: this one is about its failures.
                            new Row(RDMA_SERVER, Meeting.CM, null),
                            new Row(
                                    "ucmatose -s {addr} -p {port} -C 3",
                                    Meeting.CM,
                                    "ucmatose -b {addr} -p {port} -C 3"),
                            new Row(
                                    "udaddy -s {addr} -C 3",
                                    Meeting.CM_DATAGRAMS,
                                    "udaddy -b {addr} -C 3"),
                            // A receiver: a sender cannot tell whether there is any.
                            new Row("mckey -m 239.1.2.3 -b {addr} -C 3", Meeting.CM, null),
                            new Row(
                                    "rstream -s {addr} -p {port} -C 3 -T v -T b",
                                    Meeting.CM,
                                    "rstream -b {addr} -p {port} -C 3 -T v -T b"))
                    .collect(Collectors.toMap(Row::name, Function.identity()));

    private static StrangerProcess stranger;

    @TempDir Path folder;

    private final InetAddress address = RdmaPorts.address();
    private String device;
    private String gid;
    private int port;

    @BeforeAll
    static void startStranger() throws Exception {
        stranger = StrangerProcess.start();
    }

    @AfterAll
    static void endStranger() {
        stranger.close();
    }

    @BeforeEach
    void prepare() throws Exception {
        Device roce = TestDevice.get(TestDevice.Kind.ROCE);
        device = roce.name();
        try (Context context = roce.open()) {
            gid = String.valueOf(context.defaultGid(1).index());
        }
    }

    static List<Row> everyExample() {
        return List.copyOf(ROWS.values());
    }

    static List<Row> examplesWithAPeer() {
        return everyExample().stream().filter(row -> row.meeting != Meeting.NONE).toList();
    }

    static List<Row> examplesOfADevice() {
        return everyExample().stream().filter(row -> row.command.contains("{dev}")).toList();
    }

    @Test
    void everyExampleHasARow() {
        assertEquals(Main.commandLine().getSubcommands().keySet(), ROWS.keySet());
    }

    private void choosePort(Row row) throws Exception {
        port = row.meeting == Meeting.TCP ? Ports.free() : RdmaPorts.free(PortSpace.TCP);
    }

    private String[] words(String command) throws Exception {
        Path sent = Files.writeString(folder.resolve("sent"), "text");
        Files.createDirectories(folder.resolve("in"));
        return command.replace("{dev}", device)
                .replace("{gid}", gid)
                .replace("{port}", String.valueOf(port))
                .replace("{addr}", address.getHostAddress())
                .replace("{file}", sent.toString())
                .replace("{folder}", folder.resolve("in").toString())
                .split(" +");
    }

    /** Soft-RoCE lacks what one of them needs: that it says so is tested beside it. */
    private static boolean isUnsupported(Row row) {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            return row.name().equals("xsrq-pingpong") && TestDevice.isRxe(context);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyExample")
    void withItsCheckOnItSucceeds(Row row) throws Exception {
        if (isUnsupported(row) || row.meeting != Meeting.NONE && row.server == null) {
            return;
        }
        choosePort(row);
        if (row.server == null) {
            Example.run(words(row.command)).succeeded();
            return;
        }
        // The other side is a new process, which on a busy machine takes its time.
        Example server = Example.start(words(row.server + " --patience 120"));
        awaitListener(row, server);
        try (Tool client = JavaTool.start(words(row.command))) {
            client.await().succeeded();
            server.await().succeeded();
        }
    }

    private void awaitListener(Row row, Example server) throws Exception {
        switch (row.meeting) {
            case TCP -> Ports.awaitListener(port);
            case CM -> RdmaPorts.awaitListener(PortSpace.TCP, port);
            case CM_DATAGRAMS -> RdmaPorts.awaitListener(PortSpace.UDP, 7174);
            default -> {
                server.awaitOutput(".\n");
                Matcher printed = Pattern.compile("port (\\d+)\\.").matcher(server.printed());
                assertTrue(printed.find());
                port = Integer.parseInt(printed.group(1));
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyExample")
    void aWrongOptionIsOneLineAndStatusTwo(Row row) throws Exception {
        Example.run(row.name(), "--no-such-option").failed(2, row.name() + ": ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examplesOfADevice")
    void aDeviceThatIsNotThereIsOneLine(Row row) throws Exception {
        choosePort(row);
        device = "nosuch0";
        Example.run(words(row.server == null ? row.command : row.server))
                .failed(1, "no device nosuch0; this machine has ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examplesWithAPeer")
    void aPeerThatIsNotThereIsOneLine(Row row) throws Exception {
        choosePort(row);
        Example.run(words(row.command + " --patience 1")).failed(1, row.name() + ": ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examplesWithAPeer")
    void aServerThatNobodyVisitsIsOneLine(Row row) throws Exception {
        choosePort(row);
        // The ping-pong tools wait as long as their C twins, a server of files serves for ever.
        boolean waits = row.meeting == Meeting.TCP || row.name().equals("file-transfer");
        if (row.server != null && !waits) {
            Example.run(words(row.server + " --patience 1")).failed(1, ": ");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examplesWithAPeer")
    void aPeerThatDiesIsOneLine(Row row) throws Exception {
        assertOneLineWithStranger(row, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examplesWithAPeer")
    void aPeerThatIsSomethingElseIsOneLine(Row row) throws Exception {
        if (row.name().equals("basic-client-server")) {
            return; // It takes any text: there is nothing else that a peer could send.
        }
        assertOneLineWithStranger(row, true);
    }

    private void assertOneLineWithStranger(Row row, boolean talks) throws Exception {
        if (row.server == null || isUnsupported(row)) {
            return;
        }
        choosePort(row);
        if (row.meeting == Meeting.TCP) {
            stranger.tcp(port, talks);
        } else {
            stranger.rdma(address, port, talks);
        }
        Example.run(words(row.command + " --patience 3")).failed(1, row.name() + ": ");
    }
}
