package io.github.verbs4j.types;

/**
 * Error numbers of Linux, as the generic {@code errno.h} defines them; x86-64 and aarch64 agree.
 */
public final class Errno {
    /** Not permitted: the privilege is missing. */
    public static final int EPERM = 1;

    /** No such object. */
    public static final int ENOENT = 2;

    /** Interrupted by a signal. */
    public static final int EINTR = 4;

    /** Input/output error. */
    public static final int EIO = 5;

    /** Not an open file descriptor. */
    public static final int EBADF = 9;

    /** Nothing there now, or not enough locked memory. */
    public static final int EAGAIN = 11;

    /** No memory, or a queue is full, or RLIMIT_MEMLOCK is too low. */
    public static final int ENOMEM = 12;

    /** Access denied. */
    public static final int EACCES = 13;

    /** Address that is not mapped or not writable. */
    public static final int EFAULT = 14;

    /** Still in use. */
    public static final int EBUSY = 16;

    /** Exists already. */
    public static final int EEXIST = 17;

    /** No such device, or it is gone. */
    public static final int ENODEV = 19;

    /** Invalid argument. */
    public static final int EINVAL = 22;

    /** Too many open files. */
    public static final int EMFILE = 24;

    /** No room in a table. */
    public static final int ENOSPC = 28;

    /** Broken pipe. */
    public static final int EPIPE = 32;

    /** Not implemented. */
    public static final int ENOSYS = 38;

    /** No data, for example an empty GID table entry. */
    public static final int ENODATA = 61;

    /** Protocol error. */
    public static final int EPROTO = 71;

    /** Protocol not supported. */
    public static final int EPROTONOSUPPORT = 93;

    /** Not supported by the device or its driver. */
    public static final int EOPNOTSUPP = 95;

    /** Address in use. */
    public static final int EADDRINUSE = 98;

    /** Address belongs to no local RDMA device. */
    public static final int EADDRNOTAVAIL = 99;

    /** Network unreachable. */
    public static final int ENETUNREACH = 101;

    /** Connection reset by the peer. */
    public static final int ECONNRESET = 104;

    /** Connected already. */
    public static final int EISCONN = 106;

    /** Not connected. */
    public static final int ENOTCONN = 107;

    /** Timed out. */
    public static final int ETIMEDOUT = 110;

    /** Connection refused. */
    public static final int ECONNREFUSED = 111;

    /** No route to the host. */
    public static final int EHOSTUNREACH = 113;

    // Position is the number; the kernel leaves 41 and 58 out.
    private static final String[] NAMES = {
        "",
        "EPERM",
        "ENOENT",
        "ESRCH",
        "EINTR",
        "EIO",
        "ENXIO",
        "E2BIG",
        "ENOEXEC",
        "EBADF",
        "ECHILD",
        "EAGAIN",
        "ENOMEM",
        "EACCES",
        "EFAULT",
        "ENOTBLK",
        "EBUSY",
        "EEXIST",
        "EXDEV",
        "ENODEV",
        "ENOTDIR",
        "EISDIR",
        "EINVAL",
        "ENFILE",
        "EMFILE",
        "ENOTTY",
        "ETXTBSY",
        "EFBIG",
        "ENOSPC",
        "ESPIPE",
        "EROFS",
        "EMLINK",
        "EPIPE",
        "EDOM",
        "ERANGE",
        "EDEADLK",
        "ENAMETOOLONG",
        "ENOLCK",
        "ENOSYS",
        "ENOTEMPTY",
        "ELOOP",
        "",
        "ENOMSG",
        "EIDRM",
        "ECHRNG",
        "EL2NSYNC",
        "EL3HLT",
        "EL3RST",
        "ELNRNG",
        "EUNATCH",
        "ENOCSI",
        "EL2HLT",
        "EBADE",
        "EBADR",
        "EXFULL",
        "ENOANO",
        "EBADRQC",
        "EBADSLT",
        "",
        "EBFONT",
        "ENOSTR",
        "ENODATA",
        "ETIME",
        "ENOSR",
        "ENONET",
        "ENOPKG",
        "EREMOTE",
        "ENOLINK",
        "EADV",
        "ESRMNT",
        "ECOMM",
        "EPROTO",
        "EMULTIHOP",
        "EDOTDOT",
        "EBADMSG",
        "EOVERFLOW",
        "ENOTUNIQ",
        "EBADFD",
        "EREMCHG",
        "ELIBACC",
        "ELIBBAD",
        "ELIBSCN",
        "ELIBMAX",
        "ELIBEXEC",
        "EILSEQ",
        "ERESTART",
        "ESTRPIPE",
        "EUSERS",
        "ENOTSOCK",
        "EDESTADDRREQ",
        "EMSGSIZE",
        "EPROTOTYPE",
        "ENOPROTOOPT",
        "EPROTONOSUPPORT",
        "ESOCKTNOSUPPORT",
        "EOPNOTSUPP",
        "EPFNOSUPPORT",
        "EAFNOSUPPORT",
        "EADDRINUSE",
        "EADDRNOTAVAIL",
        "ENETDOWN",
        "ENETUNREACH",
        "ENETRESET",
        "ECONNABORTED",
        "ECONNRESET",
        "ENOBUFS",
        "EISCONN",
        "ENOTCONN",
        "ESHUTDOWN",
        "ETOOMANYREFS",
        "ETIMEDOUT",
        "ECONNREFUSED",
        "EHOSTDOWN",
        "EHOSTUNREACH",
        "EALREADY",
        "EINPROGRESS",
        "ESTALE",
        "EUCLEAN",
        "ENOTNAM",
        "ENAVAIL",
        "EISNAM",
        "EREMOTEIO",
        "EDQUOT",
        "ENOMEDIUM",
        "EMEDIUMTYPE",
        "ECANCELED",
        "ENOKEY",
        "EKEYEXPIRED",
        "EKEYREVOKED",
        "EKEYREJECTED",
        "EOWNERDEAD",
        "ENOTRECOVERABLE",
        "ERFKILL",
        "EHWPOISON"
    };

    // Kernel-internal, but RDMA drivers let it out.
    private static final int ENOTSUPP = 524;

    private Errno() {}

    /**
     * Returns the name of an error number.
     *
     * @param errno an error number
     * @return for example {@code EINVAL}; {@code errno 4711} if it has no name
     */
    public static String name(int errno) {
        if (errno > 0 && errno < NAMES.length && !NAMES[errno].isEmpty()) {
            return NAMES[errno];
        }
        return errno == ENOTSUPP ? "ENOTSUPP" : "errno " + errno;
    }

    /** The name with the number, without saying the number twice. */
    static String describe(int errno) {
        String name = name(errno);
        return name.startsWith("errno") ? name : name + " (" + errno + ")";
    }
}
