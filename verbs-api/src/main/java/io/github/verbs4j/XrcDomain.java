package io.github.verbs4j;

import io.github.verbs4j.ffi.QueuePairVerbs;
import io.github.verbs4j.ffi.ibv_xrcd_init_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A domain of extended reliable connections: C's {@code struct ibv_xrcd}. A message that arrives on
 * one of its receiving queue pairs goes to any of its shared receive queues, so one connection
 * reaches many processes of a host. Safe for any thread.
 */
public final class XrcDomain implements AutoCloseable {

    /** Makes the domain if the file has none yet (C's {@code O_CREAT}). */
    public static final int O_CREAT = 0100;

    /** With O_CREAT: fails if the file has one already (C's {@code O_EXCL}). */
    public static final int O_EXCL = 0200;

    private final Context context;
    private final NativeHandle handle;

    XrcDomain(Context context, int fd, int oflags) {
        this.context = context;
        if ((oflags & ~(O_CREAT | O_EXCL)) != 0) {
            throw new IllegalArgumentException(
                    "oflags is 0" + Integer.toOctalString(oflags) + ", may be O_CREAT and O_EXCL");
        }
        Check.range("fd", fd, -1, Integer.MAX_VALUE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = ibv_xrcd_init_attr.allocate(arena);
            ibv_xrcd_init_attr.comp_mask(
                    init, verbs_h.IBV_XRCD_INIT_ATTR_FD() | verbs_h.IBV_XRCD_INIT_ATTR_OFLAGS());
            ibv_xrcd_init_attr.fd(init, fd);
            ibv_xrcd_init_attr.oflags(init, oflags);
            this.handle =
                    NativeHandle.create(
                            "XrcDomain",
                            () ->
                                    Check.notNull(
                                            "ibv_open_xrcd",
                                            QueuePairVerbs.ibv_open_xrcd(context.handle(), init),
                                            errno -> explain(errno, fd, oflags)),
                            pointer ->
                                    Check.zero(
                                            "ibv_close_xrcd",
                                            QueuePairVerbs.ibv_close_xrcd(pointer)),
                            context.nativeHandle());
        }
        LeakDetector.watch(this, handle);
    }

    private static String explain(int errno, int fd, int oflags) {
        return switch (errno) {
            case Errno.EBADF -> "file descriptor " + fd + " is not open";
            case Errno.EAGAIN -> "the file has no domain yet: use O_CREAT";
            case Errno.EINVAL ->
                    (oflags & O_EXCL) != 0
                            ? "the file has a domain already"
                            : "without a file there is no domain to join: use O_CREAT";
            default -> "";
        };
    }

    /**
     * The context it was opened from.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Creates a receiving queue pair, in state RESET. It is connected like any other, by {@link
     * QueuePair#modify}, but nothing is posted to it.
     *
     * @return the queue pair, of type XRC_RECV; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException ENOMEM: the device has no more
     * @verbs.calls ibv_create_qp_ex
     */
    public QueuePair createRecvQp() {
        return new QueuePair(this, new XrcRecvQp(this));
    }

    /**
     * Opens a receiving queue pair that another process of the same domain created: it lives until
     * the last of them closes it.
     *
     * @param qpNum its number
     * @return the queue pair, of type XRC_RECV; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device has no XRC
     * @throws VerbsException EINVAL: the domain has no such queue pair
     * @verbs.calls ibv_open_qp, ibv_query_qp
     */
    public QueuePair openQp(int qpNum) {
        QueuePair qp = new QueuePair(this, new OpenedQp(this, qpNum));
        try {
            qp.adoptState();
            return qp;
        } catch (RuntimeException e) {
            qp.close();
            throw e;
        }
    }

    /**
     * Tells whether the domain has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_xrcd *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the queue pairs and shared receive queues of the domain that were made here, and the
     * domain. It lives on while other processes have it open.
     *
     * @throws VerbsException EBUSY: something that this library did not make still uses it
     * @verbs.calls ibv_close_xrcd
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
