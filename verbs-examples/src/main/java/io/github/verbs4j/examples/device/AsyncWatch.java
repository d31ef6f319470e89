package io.github.verbs4j.examples.device;

import io.github.verbs4j.AsyncEvent;
import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import io.github.verbs4j.types.AsyncEventType;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Prints what happens to a device and its ports. Twin of {@code ibv_asyncwatch}: the same lines.
 */
@Command(
        name = "asyncwatch",
        description = {
            "Print the asynchronous events of a device (as ibv_asyncwatch).",
            "",
            "It shows a cable that is pulled, an address that changes, a device that breaks, until"
                    + " it is interrupted. Events of queue pairs and queues go to the program that"
                    + " created them only."
        })
public final class AsyncWatch implements Callable<Integer>, Checked {

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEV",
            description = "Use the RDMA device DEV (default: the first).")
    private String name;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "End after N events (default: never).")
    private Long count;

    @Override
    public void check() {
        if (count != null) {
            Arguments.atLeast(0, "--count", count);
        }
    }

    @Override
    public Integer call() throws Exception {
        Device device = name == null ? Device.first() : Device.named(name);
        try (Context context = device.open()) {
            System.out.printf("%s: async event FD %d%n", device.name(), context.asyncFd());
            for (long seen = 0; count == null || seen < count; ) {
                // @start region=asyncwatch
                AsyncEvent event = context.getAsyncEvent(Duration.ofDays(1));
                if (event != null) {
                    print(event);
                    seen++;
                }
                // @end
            }
        }
        return 0;
    }

    private static void print(AsyncEvent event) {
        int port = event instanceof AsyncEvent.Port about ? about.portNum() : 0;
        int type =
                event instanceof AsyncEvent.Device about ? about.rawType() : event.type().value();
        System.out.printf("  event_type %s (%d), port %d%n", name(event.type()), type, port);
    }

    /** The C tool has names for what can happen to a device and its ports. */
    private static String name(AsyncEventType type) {
        return switch (type.element()) {
            case PORT, DEVICE ->
                    type == AsyncEventType.UNRECOGNIZED ? "unexpected" : "IBV_EVENT_" + type;
            case CQ, QP, SRQ, WQ -> "unexpected";
        };
    }
}
