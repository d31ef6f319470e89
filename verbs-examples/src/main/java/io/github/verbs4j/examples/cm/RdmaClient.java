package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.RdmaConnection;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Twin of {@code rdma_client}, whose other half may be the peer. */
@Command(
        name = "rdma-client",
        description = {
            "Exchange one message with an rdma-server (as rdma_client).",
            "",
            "The client sends 16 bytes, the server answers with 16. It is the shortest program that"
                    + " does all that a connection needs. The C tool may be the other side."
        })
public final class RdmaClient implements Callable<Integer> {

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The server (default: ${DEFAULT-VALUE}, which needs a device).")
    private String address;

    @Mixin private ServerPort port;

    @Mixin private Patience patience;

    @Override
    public Integer call() throws Exception {
        System.out.println("rdma_client: start");
        run();
        System.out.println("rdma_client: end 0");
        return 0;
    }

    // @start region=rdma-client
    private void run() throws Exception {
        try (RdmaConnection server =
                RdmaConnection.connect(
                        Address.of(address, port.get()), SixteenBytes.options(patience.get()))) {
            Link link = new Link(server, patience.get());
            SixteenBytes.send(server, link, "rdma_client");
            SixteenBytes.receive(link);
        }
    }
    // @end
}
