package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.NativeFunction.rdmacm;
import static io.github.verbs4j.ffi.verbs_h.C_INT;
import static io.github.verbs4j.ffi.verbs_h.C_LONG;
import static io.github.verbs4j.ffi.verbs_h.C_POINTER;

import java.lang.foreign.MemorySegment;

/** Sending and receiving on sockets over RDMA (rdma/rsocket.h). */
public final class RSocketIo {

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

    private static final NativeFunction RIOMAP =
            rdmacm("riomap", C_LONG, C_INT, C_POINTER, C_LONG, C_INT, C_INT, C_LONG);

    private static final NativeFunction RIOUNMAP =
            rdmacm("riounmap", C_INT, C_INT, C_POINTER, C_LONG);

    private static final NativeFunction RIOWRITE =
            rdmacm("riowrite", C_LONG, C_INT, C_POINTER, C_LONG, C_LONG, C_INT);

    private RSocketIo() {}

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
}
