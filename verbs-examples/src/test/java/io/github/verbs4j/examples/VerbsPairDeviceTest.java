package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.Ports;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code scripts/verbs SERVER + CLIENT} does where the device is. */
@RequiresDevice
@Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VerbsPairDeviceTest {

    private static final String ADDRESS = RdmaPorts.address().getHostAddress();

    private static Result run(String server, String client) throws Exception {
        return run(JavaTool.command(server.split(" ")), client);
    }

    private static Result run(List<String> server, String client) throws Exception {
        Stream<List<String>> parts =
                Stream.of(
                        List.of(script()),
                        server,
                        List.of("+"),
                        JavaTool.command(client.split(" ")));
        return Tool.run(parts.flatMap(List::stream).toArray(String[]::new));
    }

    private static String script() {
        Path script = Path.of("scripts/lib/verbs-pair").toAbsolutePath();
        for (Path folder = Path.of("").toAbsolutePath(); !Files.exists(script); ) {
            folder = folder.getParent();
            script = folder.resolve("scripts/lib/verbs-pair");
        }
        return script.toString();
    }

    @Test
    void theClientStartsWhenTheServerListensOnASocket() throws Exception {
        String options = " -n 20 -c -p " + Ports.free();
        String out =
                run("srq-pingpong" + options, "srq-pingpong" + options + " 127.0.0.1")
                        .succeeded()
                        .out();
        assertEquals(2, out.lines().filter(line -> line.startsWith("20 iters in ")).count(), out);
    }

    @Test
    void theClientStartsWhenTheServerListensByTheConnectionManager() throws Exception {
        String at = " -V -C 3 -a " + ADDRESS + " -p " + RdmaPorts.free(PortSpace.TCP);
        run("rping -s" + at, "rping -c" + at).succeeded();
    }

    @Test
    void aClientThatFailsEndsTheServerToo() throws Exception {
        int port = Ports.free();
        List<String> server = List.of("ibv_rc_pingpong", "-p", String.valueOf(port));
        run(server, "devinfo -d nosuch0").failed(1, "nosuch0");
        assertTrue(Tool.run("ss", "-Htln").out().lines().noneMatch(l -> l.contains(":" + port)));
    }

    @Test
    void aServerThatFailsIsAllThatHappens() throws Exception {
        run("rc-pingpong -d nosuch0 -p " + Ports.free(), "devices").failed(1, "nosuch0");
    }

    @Test
    void aServerThatNeverListensIsSaid() throws Exception {
        runImpatiently("sleep 60", "devices")
                .failed(1, "the server does not listen after 1 s: the client was not started");
        runImpatiently("true", "devices").failed(1, "the server ended and never listened");
    }

    private static Result runImpatiently(String server, String client) throws Exception {
        String command = "env VERBS_PAIR_PATIENCE=1 " + script() + " " + server + " + " + client;
        return Tool.run(command.split(" "));
    }
}
