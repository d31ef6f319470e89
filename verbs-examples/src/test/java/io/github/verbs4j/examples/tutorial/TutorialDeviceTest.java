package io.github.verbs4j.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresDevice
class TutorialDeviceTest {

    private final String address = RdmaPorts.address().getHostAddress();

    /** The output of the server of ours, and of a client in a process of its own. */
    private Result[] both(String command) throws Exception {
        Example server = Example.start((command + " -b " + address).split(" "));
        server.awaitOutput(".\n"); // the whole line, with the number
        Matcher port = Pattern.compile("port (\\d+)\\.").matcher(server.printed());
        assertTrue(port.find());
        String[] client =
                Stream.concat(Stream.of(command.split(" ")), Stream.of(address, port.group(1)))
                        .toArray(String[]::new);
        try (Tool tool = JavaTool.start(client)) {
            return new Result[] {server.await(), tool.await().succeeded()};
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read-write read", "read-write write"})
    void eachSideGetsTheOthersText(String command) throws Exception {
        Result[] results = both(command);
        String server = results[0].succeeded().out();
        String client = results[1].out();
        assertTrue(server.contains("remote buffer: message from active/client side"), server);
        assertTrue(client.contains("remote buffer: message from passive/server side"), client);
    }

    @Test
    void eachSideReceivesTheOthersMessage() throws Exception {
        Result[] results = both("basic-client-server");
        String server = results[0].succeeded().out();
        String client = results[1].out();
        assertTrue(server.contains("received message: message from active/client side"), server);
        assertTrue(server.contains("peer disconnected.\n"), server);
        assertTrue(client.contains("received message: message from passive/server side"), client);
    }

    @Test
    void wrongUseIsSaid() throws Exception {
        Example.run("read-write", "erase").failed(2, "'erase'");
        Example.run("read-write", "read", address).failed(2, "which port?");
        Example.run("basic-client-server", address).failed(2, "which port?");
        Example.run("basic-client-server", "-b", address, "--patience", "1")
                .failed(1, "CONNECT_REQUEST");
    }
}
