package io.github.verbs4j.cm;

import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.ffi.RSocket;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.SockAddrCodec;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * Keeps the two threads that librdmacm runs for rsockets, one for those that listen and one for the
 * others, on their feet.
 *
 * <p>Each thread has a table of sockets. Up to rdma-core 54 it goes on using the old table after it
 * had to make a larger one, for the fourth socket: it reads and writes freed memory, and waits for
 * ever for an event of the wrong socket, as does then everyone who opens or closes one. A table
 * also grows by four each time its thread starts, and its thread ends with its last socket. So the
 * threads are started and ended often enough before the first socket of the program that a table
 * never has to grow, and there are no more sockets than it holds.
 */
final class RSocketService {

    private static final int STARTS = 64;
    private static final int MOST_TRIES = 16 * STARTS;
    private static final int ROWS_PER_START = 4;
    private static final int SOCK_STREAM = 1;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int EINPROGRESS = 115;

    private static boolean prepared;

    /** How many sockets there may be. */
    private static int most = Integer.MAX_VALUE;

    private static int open;

    private RSocketService() {}

    /** Before a socket is made; {@link #leave} follows when it is closed. */
    static synchronized void enter(String verb) {
        // Later versions have mended it; this function tells one, if not the first.
        prepared =
                prepared
                        || Check.present(() -> NativeLibrary.RDMACM.exports("rdma_write_cm_event"))
                        || grow();
        if (open >= most) {
            throw new VerbsException(
                    verb,
                    Errno.EMFILE,
                    "librdmacm before 55 breaks when a process has more than "
                            + most
                            + " rsockets");
        }
        open++;
    }

    static synchronized void leave() {
        open--;
    }

    /**
     * Whether it could: without an address to connect to, nobody connects. One that is refused at
     * once was never in the table, then another is tried.
     */
    private static boolean grow() {
        int starts = 0;
        try (Arena arena = Arena.ofConfined()) {
            List<InetAddress> own = addresses();
            for (int i = 0; i < MOST_TRIES && starts < STARTS && !own.isEmpty(); i++) {
                InetSocketAddress target = new InetSocketAddress(own.get(i % own.size()), 1);
                if (beginToConnect(target, SockAddrCodec.write(target, arena)) && beginToListen()) {
                    starts++;
                }
            }
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
        most = starts == 0 ? most : starts * ROWS_PER_START;
        return starts > 0;
    }

    /** The addresses of this machine: rsockets name no devices. */
    private static List<InetAddress> addresses() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> !each.isLoopbackAddress())
                .toList();
    }

    /** Starts and ends the thread of those that listen. */
    private static boolean beginToListen() {
        int fd = socket(SockAddrCodec.AF_INET);
        boolean begun = RSocket.rlisten(fd, 1) == 0;
        RSocket.rclose(fd);
        return begun;
    }

    /** Starts and ends the thread of the others, unless no device has the address. */
    private static boolean beginToConnect(InetSocketAddress target, MemorySegment address) {
        int fd = socket(RSocketFd.isIpv6(target) ? SockAddrCodec.AF_INET6 : SockAddrCodec.AF_INET);
        RSocket.rfcntl(fd, F_SETFL, O_NONBLOCK);
        boolean begun =
                RSocket.rconnect(fd, address, (int) address.byteSize()) == -1
                        && io.github.verbs4j.ffi.Errno.last() == EINPROGRESS;
        RSocket.rclose(fd);
        return begun;
    }

    private static int socket(int domain) {
        int fd = RSocket.rsocket(domain, SOCK_STREAM, 0);
        if (fd == -1) {
            throw RSocketFd.failure("rsocket", EventChannel::explain);
        }
        return fd;
    }
}
