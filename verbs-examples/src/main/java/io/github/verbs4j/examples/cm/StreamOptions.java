package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.RServerSocket;
import io.github.verbs4j.cm.RSocket;
import io.github.verbs4j.cm.RSocketOption;
import io.github.verbs4j.examples.cli.Arguments;
import io.github.verbs4j.examples.cli.Checked;
import java.util.List;
import java.util.Locale;
import java.util.function.ObjIntConsumer;
import java.util.function.ToIntFunction;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How {@code rstream} uses its sockets. */
final class StreamOptions implements Checked {

    private static final int USUAL_BUFFER = 1 << 19;

    @Option(
            names = "-B",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Size of the send and receive buffers (default: 524288).")
    private int bufferSize;

    @Option(
            names = "-i",
            paramLabel = "BYTES",
            defaultValue = "64",
            description =
                    "In the latency tests, transfers up to so many bytes go inline (default:"
                            + " ${DEFAULT-VALUE}).")
    private int inlineSize;

    @Option(
            names = "-k",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Ask an idle peer after so long whether it is there (default: never).")
    private int keepalive;

    @Option(
            names = "-T",
            paramLabel = "OPTION",
            converter = Words.class,
            description = {
                "May be repeated:",
                "  v, verify: check the data; on both sides",
                "  b, blocking: sleep while waiting",
                "  n, nonblocking: look again and again (default)",
                "  a, async: ask by poll before each call",
                "  r, resolve: the connection manager looks the address up"
            })
    private List<Manner> manners;

    /** What {@code -T} sets. */
    enum Manner {
        VERIFY,
        BLOCKING,
        NONBLOCKING,
        ASYNC,
        RESOLVE
    }

    boolean has(Manner manner) {
        return manners != null && manners.contains(manner);
    }

    /** The last one counts. */
    boolean isBlocking() {
        return manners != null
                && manners.lastIndexOf(Manner.BLOCKING) > manners.lastIndexOf(Manner.NONBLOCKING);
    }

    /** The letters and words of the C tool. */
    static final class Words implements ITypeConverter<Manner> {
        @Override
        public Manner convert(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "v", "verify" -> Manner.VERIFY;
                case "b", "block", "blocking" -> Manner.BLOCKING;
                case "n", "nonblock", "nonblocking" -> Manner.NONBLOCKING;
                case "a", "async" -> Manner.ASYNC;
                case "r", "resolve" -> Manner.RESOLVE;
                case "s", "socket", "sockets" -> throw refused("s", "this is about rsockets");
                case "f", "fork" -> throw refused("f", "a Java process cannot fork");
                default ->
                        throw new TypeConversionException(
                                "'" + text + "' is none of v, b, n, a, r");
            };
        }

        private static Arguments.WrongArgument refused(String manner, String why) {
            return Arguments.wrong("option -T %s is not supported: %s", manner, why);
        }
    }

    @Override
    public void check() {
        Arguments.range(0, 1 << 30, "-B", bufferSize);
        Arguments.range(0, 65_534, "-i", inlineSize);
        Arguments.range(0, 32_767, "-k", keepalive);
    }

    /** Before it accepts. */
    void apply(RServerSocket socket, StreamSizes.Goal goal) {
        apply(socket::setOption, goal);
        keepAlive(socket::setOption, socket::getOption);
    }

    /** Before it connects. */
    void apply(RSocket socket, StreamSizes.Goal goal) {
        apply(socket::setOption, goal);
        keepAlive(socket::setOption, socket::getOption);
    }

    /** Of an accepted socket: it has what was set before. */
    void apply(RSocket socket) {
        keepAlive(socket::setOption, socket::getOption);
    }

    private void apply(ObjIntConsumer<RSocketOption> set, StreamSizes.Goal goal) {
        int buffers = bufferSize == 0 ? USUAL_BUFFER : bufferSize;
        set.accept(RSocketOption.SO_SNDBUF, buffers);
        set.accept(RSocketOption.SO_RCVBUF, buffers);
        set.accept(RSocketOption.TCP_NODELAY, 1);
        switch (goal) {
            case LATENCY -> set.accept(RSocketOption.RDMA_INLINE, inlineSize);
            case BANDWIDTH -> set.accept(RSocketOption.RDMA_INLINE, 0);
            case MIXED -> {
                // What librdmacm has chosen.
            }
        }
    }

    private void keepAlive(ObjIntConsumer<RSocketOption> set, ToIntFunction<RSocketOption> get) {
        if (keepalive > 0) {
            set.accept(RSocketOption.SO_KEEPALIVE, 1);
            set.accept(RSocketOption.TCP_KEEPIDLE, keepalive);
            int on = get.applyAsInt(RSocketOption.SO_KEEPALIVE);
            System.out.println("Keepalive: " + (on == 0 ? "OFF" : "ON"));
            System.out.println("  time: " + get.applyAsInt(RSocketOption.TCP_KEEPIDLE));
        }
    }
}
