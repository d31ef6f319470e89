package io.github.verbs4j.examples.cm;

import io.github.verbs4j.examples.cli.Arguments;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How addresses are written on the command line of the tools that have {@code -f}. */
final class AddressFormat {

    @Option(
            names = "-f",
            paramLabel = "FORMAT",
            defaultValue = "name",
            converter = Words.class,
            description = {
                "How addresses are written (default: ${DEFAULT-VALUE}):",
                "  name: a name or number",
                "  ip, ipv6: a number; names are not looked up"
            })
    private Format format;

    private enum Format {
        NAME,
        NUMBER
    }

    /** {@return the address of a host's port} */
    InetSocketAddress of(String host, int port) {
        return format == Format.NUMBER
                ? new InetSocketAddress(literal(host), port)
                : Address.of(host, port);
    }

    /** {@return the address to listen on: of a host, or of all devices when it is null} */
    InetSocketAddress toListen(String host, int port) {
        return host == null ? Address.toListen(null, port) : of(host, port);
    }

    private static InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException e) {
            throw Arguments.wrong("%s is not a number, and -f ip looks no names up", host);
        }
    }

    /** The words for it, as loosely as the C tools read them. */
    static final class Words implements ITypeConverter<Format> {
        @Override
        public Format convert(String text) {
            String word = text.toLowerCase(Locale.ROOT);
            if (word.startsWith("gid")) {
                throw Arguments.wrong(
                        "option -f gid is not supported: GIDs are addresses of InfiniBand only");
            }
            if (!word.startsWith("ip") && !word.startsWith("name")) {
                throw new TypeConversionException("'" + text + "' is none of name, ip, ipv6");
            }
            return word.startsWith("ip") ? Format.NUMBER : Format.NAME;
        }
    }
}
