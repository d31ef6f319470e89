package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.ffi.sockaddr_in;
import io.github.verbs4j.ffi.sockaddr_in6;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** {@code struct sockaddr_in} and {@code sockaddr_in6} from and to {@link InetSocketAddress}. */
public final class SockAddrCodec {

    /** {@code AF_INET}. */
    public static final int AF_INET = 2;

    /** {@code AF_INET6}. */
    public static final int AF_INET6 = 10;

    /** Room for either. */
    public static final int MAX_SIZE = 28;

    private SockAddrCodec() {}

    /**
     * Makes a native address.
     *
     * @param address a resolved address
     * @param arena where to put it
     * @return the native address; its size is what C calls its length
     * @throws IllegalArgumentException when the host name was not resolved
     */
    public static MemorySegment write(InetSocketAddress address, Arena arena) {
        InetAddress host = address.getAddress();
        if (host == null) {
            throw new IllegalArgumentException("unknown host " + address.getHostString());
        }
        short port = NetworkOrder.toHost((short) address.getPort());
        if (host instanceof Inet6Address v6) {
            MemorySegment s = sockaddr_in6.allocate(arena);
            sockaddr_in6.sin6_family(s, (short) AF_INET6);
            sockaddr_in6.sin6_port(s, port);
            sockaddr_in6.sin6_scope_id(s, v6.getScopeId());
            MemorySegment.copy(host.getAddress(), 0, sockaddr_in6.sin6_addr(s), JAVA_BYTE, 0, 16);
            return s;
        }
        MemorySegment s = sockaddr_in.allocate(arena);
        sockaddr_in.sin_family(s, (short) AF_INET);
        sockaddr_in.sin_port(s, port);
        MemorySegment.copy(host.getAddress(), 0, sockaddr_in.sin_addr(s), JAVA_BYTE, 0, 4);
        return s;
    }

    /**
     * Reads a native address.
     *
     * @param s at least as many bytes as its family needs
     * @return the address, or null when it is of no family that Java knows (0 when it is not set)
     */
    public static InetSocketAddress read(MemorySegment s) {
        try {
            int family = s.get(JAVA_SHORT, 0);
            if (family == AF_INET) {
                byte[] bytes = sockaddr_in.sin_addr(s).asSlice(0, 4).toArray(JAVA_BYTE);
                return new InetSocketAddress(
                        InetAddress.getByAddress(bytes), port(sockaddr_in.sin_port(s)));
            }
            if (family == AF_INET6) {
                byte[] bytes = sockaddr_in6.sin6_addr(s).asSlice(0, 16).toArray(JAVA_BYTE);
                int scope = sockaddr_in6.sin6_scope_id(s);
                // Without a scope, −1 keeps "%0" out of the text.
                InetAddress host = Inet6Address.getByAddress(null, bytes, scope == 0 ? -1 : scope);
                return new InetSocketAddress(host, port(sockaddr_in6.sin6_port(s)));
            }
            return null;
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static int port(short networkOrder) {
        return Short.toUnsignedInt(NetworkOrder.toHost(networkOrder));
    }
}
