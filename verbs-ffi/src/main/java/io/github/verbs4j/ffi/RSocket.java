package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Sockets over RDMA (rdma/rsocket.h): as the calls of libc without the r. Data goes through {@link
 * RSocketIo}.
 */
public final class RSocket {

    private static final NativeFunction RSOCKET = rdmacm("rsocket", C_INT, C_INT, C_INT, C_INT);

    private static final NativeFunction RBIND = rdmacm("rbind", C_INT, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RLISTEN = rdmacm("rlisten", C_INT, C_INT, C_INT);

    private static final NativeFunction RACCEPT =
            rdmacm("raccept", C_INT, C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RCONNECT =
            rdmacm("rconnect", C_INT, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RSHUTDOWN = rdmacm("rshutdown", C_INT, C_INT, C_INT);

    private static final NativeFunction RCLOSE = rdmacm("rclose", C_INT, C_INT);

    private static final NativeFunction RPOLL = rdmacm("rpoll", C_INT, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction RSELECT =
            rdmacm("rselect", C_INT, C_INT, C_POINTER, C_POINTER, C_POINTER, C_POINTER);

    private static final NativeFunction RGETPEERNAME =
            rdmacm("rgetpeername", C_INT, C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RGETSOCKNAME =
            rdmacm("rgetsockname", C_INT, C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RSETSOCKOPT =
            rdmacm("rsetsockopt", C_INT, C_INT, C_INT, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RGETSOCKOPT =
            rdmacm("rgetsockopt", C_INT, C_INT, C_INT, C_INT, C_POINTER, C_POINTER);

    private static volatile MethodHandle rfcntl;

    private static final NativeFunction REPOLL_CREATE = rdmacm("repoll_create", C_INT, C_INT);

    private static final NativeFunction REPOLL_CTL =
            rdmacm("repoll_ctl", C_INT, C_INT, C_INT, C_INT, C_POINTER);

    private static final NativeFunction REPOLL_WAIT =
            rdmacm("repoll_wait", C_INT, C_INT, C_POINTER, C_INT, C_INT);

    private RSocket() {}

    /** Calls {@code rsocket}. Returns a descriptor for these calls only, or -1 with errno set. */
    public static int rsocket(int domain, int type, int protocol) {
        try {
            return (int) RSOCKET.handle().invokeExact(Errno.state(), domain, type, protocol);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rbind}. As the libc call: -1 with errno set on failure. */
    public static int rbind(int socket, MemorySegment addr, int addrlen) {
        try {
            return (int) RBIND.handle().invokeExact(Errno.state(), socket, addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rlisten}. As the libc call: -1 with errno set on failure. */
    public static int rlisten(int socket, int backlog) {
        try {
            return (int) RLISTEN.handle().invokeExact(Errno.state(), socket, backlog);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code raccept}. Returns a descriptor for these calls only, or -1 with errno set. */
    public static int raccept(int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) RACCEPT.handle().invokeExact(Errno.state(), socket, addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rconnect}. As the libc call: -1 with errno set on failure. */
    public static int rconnect(int socket, MemorySegment addr, int addrlen) {
        try {
            return (int) RCONNECT.handle().invokeExact(Errno.state(), socket, addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rshutdown}. As the libc call: -1 with errno set on failure. */
    public static int rshutdown(int socket, int how) {
        try {
            return (int) RSHUTDOWN.handle().invokeExact(Errno.state(), socket, how);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rclose}. As the libc call: -1 with errno set on failure. */
    public static int rclose(int socket) {
        try {
            return (int) RCLOSE.handle().invokeExact(Errno.state(), socket);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rpoll}. As the libc call: -1 with errno set on failure. */
    public static int rpoll(MemorySegment fds, long nfds, int timeout) {
        try {
            return (int) RPOLL.handle().invokeExact(Errno.state(), fds, nfds, timeout);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rselect}. As the libc call: -1 with errno set on failure. */
    public static int rselect(
            int nfds,
            MemorySegment readfds,
            MemorySegment writefds,
            MemorySegment exceptfds,
            MemorySegment timeout) {
        try {
            return (int)
                    RSELECT.handle()
                            .invokeExact(
                                    Errno.state(), nfds, readfds, writefds, exceptfds, timeout);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rgetpeername}. As the libc call: -1 with errno set on failure. */
    public static int rgetpeername(int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) RGETPEERNAME.handle().invokeExact(Errno.state(), socket, addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rgetsockname}. As the libc call: -1 with errno set on failure. */
    public static int rgetsockname(int socket, MemorySegment addr, MemorySegment addrlen) {
        try {
            return (int) RGETSOCKNAME.handle().invokeExact(Errno.state(), socket, addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rsetsockopt}. As the libc call: -1 with errno set on failure. */
    public static int rsetsockopt(
            int socket, int level, int optname, MemorySegment optval, int optlen) {
        try {
            return (int)
                    RSETSOCKOPT
                            .handle()
                            .invokeExact(Errno.state(), socket, level, optname, optval, optlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rgetsockopt}. As the libc call: -1 with errno set on failure. */
    public static int rgetsockopt(
            int socket, int level, int optname, MemorySegment optval, MemorySegment optlen) {
        try {
            return (int)
                    RGETSOCKOPT
                            .handle()
                            .invokeExact(Errno.state(), socket, level, optname, optval, optlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rfcntl} without an argument, as F_GETFL wants it. */
    public static int rfcntl(int socket, int cmd) {
        return rfcntl(socket, cmd, 0);
    }

    /** Calls {@code rfcntl} with an int argument. Returns -1 with errno set on failure. */
    public static int rfcntl(int socket, int cmd, int arg) {
        try {
            return (int) rfcntlHandle().invokeExact(Errno.state(), socket, cmd, arg);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    private static MethodHandle rfcntlHandle() {
        MethodHandle linked = rfcntl;
        if (linked == null) {
            MemorySegment symbol = NativeLibrary.RDMACM.symbol("rfcntl");
            linked = Native.variadic(symbol, descriptor(C_INT, C_INT, C_INT, C_INT), 2);
            rfcntl = linked;
        }
        return linked;
    }

    /**
     * Calls {@code repoll_create}. Returns a descriptor for these calls only, or -1 with errno set.
     */
    public static int repoll_create(int flags) {
        try {
            return (int) REPOLL_CREATE.handle().invokeExact(Errno.state(), flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code repoll_ctl}. As the libc call: -1 with errno set on failure. */
    public static int repoll_ctl(int epfd, int op, int fd, MemorySegment event) {
        try {
            return (int) REPOLL_CTL.handle().invokeExact(Errno.state(), epfd, op, fd, event);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code repoll_wait}. As the libc call: -1 with errno set on failure. */
    public static int repoll_wait(int epfd, MemorySegment events, int maxevents, int timeout) {
        try {
            return (int)
                    REPOLL_WAIT
                            .handle()
                            .invokeExact(Errno.state(), epfd, events, maxevents, timeout);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }
}
