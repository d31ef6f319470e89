package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.descriptor;
import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Sockets over RDMA (rdma/rsocket.h): as the calls of libc without the r. */
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

    private static final NativeFunction RRECV =
            rdmacm("rrecv", C_LONG, C_INT, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction RRECVFROM =
            rdmacm("rrecvfrom", C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_POINTER, C_POINTER);

    private static final NativeFunction RRECVMSG =
            rdmacm("rrecvmsg", C_LONG, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RSEND =
            rdmacm("rsend", C_LONG, C_INT, C_POINTER, C_LONG, C_INT);

    private static final NativeFunction RSENDTO =
            rdmacm("rsendto", C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RSENDMSG =
            rdmacm("rsendmsg", C_LONG, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RREAD = rdmacm("rread", C_LONG, C_INT, C_POINTER, C_LONG);

    private static final NativeFunction RREADV = rdmacm("rreadv", C_LONG, C_INT, C_POINTER, C_INT);

    private static final NativeFunction RWRITE = rdmacm("rwrite", C_LONG, C_INT, C_POINTER, C_LONG);

    private static final NativeFunction RWRITEV =
            rdmacm("rwritev", C_LONG, C_INT, C_POINTER, C_INT);

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

    private static final NativeFunction RIOMAP =
            rdmacm("riomap", C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_INT, C_LONG);

    private static final NativeFunction RIOUNMAP =
            rdmacm("riounmap", C_INT, C_INT, C_POINTER, C_LONG);

    private static final NativeFunction RIOWRITE =
            rdmacm("riowrite", C_LONG, C_INT, C_POINTER, C_LONG, C_LONG, C_INT);

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

    /** Calls {@code rrecv}. As the libc call: -1 with errno set on failure. */
    public static long rrecv(int socket, MemorySegment buf, long len, int flags) {
        try {
            return (long) RRECV.handle().invokeExact(Errno.state(), socket, buf, len, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rrecvfrom}. As the libc call: -1 with errno set on failure. */
    public static long rrecvfrom(
            int socket,
            MemorySegment buf,
            long len,
            int flags,
            MemorySegment src_addr,
            MemorySegment addrlen) {
        try {
            return (long)
                    RRECVFROM
                            .handle()
                            .invokeExact(Errno.state(), socket, buf, len, flags, src_addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rrecvmsg}. As the libc call: -1 with errno set on failure. */
    public static long rrecvmsg(int socket, MemorySegment msg, int flags) {
        try {
            return (long) RRECVMSG.handle().invokeExact(Errno.state(), socket, msg, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rsend}. As the libc call: -1 with errno set on failure. */
    public static long rsend(int socket, MemorySegment buf, long len, int flags) {
        try {
            return (long) RSEND.handle().invokeExact(Errno.state(), socket, buf, len, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rsendto}. As the libc call: -1 with errno set on failure. */
    public static long rsendto(
            int socket,
            MemorySegment buf,
            long len,
            int flags,
            MemorySegment dest_addr,
            int addrlen) {
        try {
            return (long)
                    RSENDTO.handle()
                            .invokeExact(
                                    Errno.state(), socket, buf, len, flags, dest_addr, addrlen);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rsendmsg}. As the libc call: -1 with errno set on failure. */
    public static long rsendmsg(int socket, MemorySegment msg, int flags) {
        try {
            return (long) RSENDMSG.handle().invokeExact(Errno.state(), socket, msg, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rread}. As the libc call: -1 with errno set on failure. */
    public static long rread(int socket, MemorySegment buf, long count) {
        try {
            return (long) RREAD.handle().invokeExact(Errno.state(), socket, buf, count);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rreadv}. As the libc call: -1 with errno set on failure. */
    public static long rreadv(int socket, MemorySegment iov, int iovcnt) {
        try {
            return (long) RREADV.handle().invokeExact(Errno.state(), socket, iov, iovcnt);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rwrite}. As the libc call: -1 with errno set on failure. */
    public static long rwrite(int socket, MemorySegment buf, long count) {
        try {
            return (long) RWRITE.handle().invokeExact(Errno.state(), socket, buf, count);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code rwritev}. As the libc call: -1 with errno set on failure. */
    public static long rwritev(int socket, MemorySegment iov, int iovcnt) {
        try {
            return (long) RWRITEV.handle().invokeExact(Errno.state(), socket, iov, iovcnt);
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

    /** Calls {@code riomap}. Returns the offset for the peer, or -1 with errno set. */
    public static long riomap(
            int socket, MemorySegment buf, long len, int prot, int flags, long offset) {
        try {
            return (long)
                    RIOMAP.handle()
                            .invokeExact(Errno.state(), socket, buf, len, prot, flags, offset);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code riounmap}. As the libc call: -1 with errno set on failure. */
    public static int riounmap(int socket, MemorySegment buf, long len) {
        try {
            return (int) RIOUNMAP.handle().invokeExact(Errno.state(), socket, buf, len);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
    }

    /** Calls {@code riowrite}. As the libc call: -1 with errno set on failure. */
    public static long riowrite(int socket, MemorySegment buf, long count, long offset, int flags) {
        try {
            return (long)
                    RIOWRITE.handle().invokeExact(Errno.state(), socket, buf, count, offset, flags);
        } catch (Throwable t) {
            throw Native.rethrow(t);
        }
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
