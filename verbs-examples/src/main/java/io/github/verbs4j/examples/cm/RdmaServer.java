package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.RdmaConnection;
import io.github.verbs4j.cm.RdmaListener;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Twin of {@code rdma_server}, whose other half may be the peer. */
@Command(
        name = "rdma-server",
        description = {
            "Exchange one message with an rdma-client (as rdma_server).",
            "",
            "The client sends 16 bytes, the server answers with 16. It is the shortest program that"
                    + " does all that a connection needs. The C tool may be the other side."
        })
public final class RdmaServer implements Callable<Integer> {

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Listen on this address (default: all devices).")
    private String address;

    @Mixin private ServerPort port;

    @Mixin private Patience patience;

    @Override
    public Integer call() throws Exception {
        System.out.println("rdma_server: start");
        run();
        System.out.println("rdma_server: end 0");
        return 0;
    }

    private void run() throws Exception {
        try (RdmaListener listener =
                        RdmaListener.bind(
                                Address.toListen(address, port.get()),
                                SixteenBytes.options(patience.get()));
                RdmaConnection client = listener.accept(patience.get())) {
            Link link = new Link(client, patience.get());
            SixteenBytes.receive(link);
            SixteenBytes.send(client, link, "rdma_server");
        }
    }
}
