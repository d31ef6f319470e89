package io.github.verbs4j.cm;

import io.github.verbs4j.types.Errno;
import java.util.function.IntFunction;

/** What the error numbers of the connection manager mean, and those of its resolver. */
final class CmErrno {

    private static final int EAFNOSUPPORT = 97;
    private static final int ESOCKTNOSUPPORT = 94;
    private static final int ENOTSUPP = 524;

    private CmErrno() {}

    /** Makes a detail of what the number means and what it is about. */
    static IntFunction<String> about(Object what) {
        return errno -> meaning(errno) + ": " + what;
    }

    static String meaning(int errno) {
        return switch (errno) {
            case Errno.EPERM -> "not permitted";
            case Errno.ENOENT -> "there is no such thing";
            case Errno.EINTR -> "interrupted by a signal";
            case Errno.EIO -> "input or output error";
            case Errno.EBADF -> "the descriptor is closed";
            case Errno.EAGAIN -> "not now";
            case Errno.ENOMEM -> "out of memory, of locked memory, or of the device's objects";
            case Errno.EACCES -> "the privilege is missing";
            case Errno.EFAULT -> "an address is not accessible";
            case Errno.EBUSY -> "in use";
            case Errno.EEXIST -> "there is one already";
            case Errno.ENODEV -> "no RDMA device, or it is gone";
            case Errno.EINVAL -> "not possible at this point, or with these values";
            case Errno.EMFILE -> "too many open files";
            case Errno.ENOSPC -> "no room left";
            case Errno.EPIPE -> "the way to the peer is closed";
            case Errno.ENODATA -> "no data";
            case Errno.EPROTO -> "against the protocol";
            case Errno.EPROTONOSUPPORT -> "the protocol is not supported";
            case ESOCKTNOSUPPORT -> "the socket type is not supported";
            case Errno.ENOSYS, Errno.EOPNOTSUPP, ENOTSUPP -> "not supported";
            case EAFNOSUPPORT -> "the address family is not supported";
            case Errno.EADDRINUSE -> "the address is taken";
            case Errno.EADDRNOTAVAIL -> "the address is not of this machine";
            case Errno.ENETUNREACH -> "the network cannot be reached";
            case Errno.ECONNRESET -> "the peer has ended the connection";
            case Errno.EISCONN -> "connected already";
            case Errno.ENOTCONN -> "not connected";
            case Errno.ETIMEDOUT -> "no answer in time";
            case Errno.ECONNREFUSED -> "the peer refuses";
            case Errno.EHOSTUNREACH -> "the host cannot be reached";
            default -> "an unusual error";
        };
    }

    /** The number that comes closest to an error of {@code getaddrinfo}. */
    static int ofEai(int eai) {
        return switch (eai) {
            case -2, -5, -8 -> Errno.ENOENT;
            case -3 -> Errno.EAGAIN;
            case -4 -> Errno.EIO;
            case -6, -9 -> EAFNOSUPPORT;
            case -7 -> ESOCKTNOSUPPORT;
            case -10 -> Errno.ENOMEM;
            default -> Errno.EINVAL;
        };
    }

    static String describeEai(int eai) {
        return switch (eai) {
            case -1 -> "EAI_BADFLAGS (-1), the flags do not fit";
            case -2 -> "EAI_NONAME (-2), the name or service is not known";
            case -3 -> "EAI_AGAIN (-3), the name server does not answer";
            case -4 -> "EAI_FAIL (-4), the name server failed";
            case -5 -> "EAI_NODATA (-5), the name has no address";
            case -6 -> "EAI_FAMILY (-6), the address family is not supported";
            case -7 -> "EAI_SOCKTYPE (-7), the socket type is not supported";
            case -8 -> "EAI_SERVICE (-8), the service is not known";
            case -9 -> "EAI_ADDRFAMILY (-9), the name has no address of that family";
            case -10 -> "EAI_MEMORY (-10), out of memory";
            case -11 -> "EAI_SYSTEM (-11)";
            case -12 -> "EAI_OVERFLOW (-12), the name is too long";
            default -> "error " + eai + " of the resolver";
        };
    }
}
