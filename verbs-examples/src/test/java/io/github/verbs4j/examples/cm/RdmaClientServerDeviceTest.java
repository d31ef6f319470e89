package io.github.verbs4j.examples.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.cm.PortSpace;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.RdmaPorts;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.examples.testing.Tool;
import io.github.verbs4j.testing.RequiresDevice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class RdmaClientServerDeviceTest {

    private String address;
    private String port;

    @BeforeEach
    void choosePort() {
        address = RdmaPorts.address().getHostAddress();
        port = String.valueOf(RdmaPorts.free(PortSpace.TCP));
    }

    private void awaitServer() throws Exception {
        RdmaPorts.awaitListener(PortSpace.TCP, Integer.parseInt(port));
    }

    @Test
    @DisplayName("server of ours, C client")
    void serverOfOursWithClientInC() throws Exception {
        Example server = Example.start("rdma-server", "-s", address, "-p", port);
        awaitServer();
        Result c = Tool.run("rdma_client", "-s", address, "-p", port);
        assertEquals(0, c.status(), c.toString());
        assertEquals("rdma_server: start\nrdma_server: end 0\n", server.await().succeeded().out());
    }

    @Test
    @DisplayName("client of ours, C server")
    void clientOfOursWithServerInC() throws Exception {
        try (Tool server = Tool.start("rdma_server", "-s", address, "-p", port)) {
            awaitServer();
            Result ours = Example.run("rdma-client", "-s", address, "-p", port).succeeded();
            assertEquals("rdma_client: start\nrdma_client: end 0\n", ours.out());
            assertEquals(0, server.await().status());
        }
    }

    @Test
    void aPeerThatIsNotThereIsSaid() throws Exception {
        Example.run("rdma-client", "-s", address, "-p", port).failed(1, "REJECTED");
        Example.run("rdma-server", "-s", address, "-p", port, "--patience", "1")
                .failed(1, "CONNECT_REQUEST");
    }
}
