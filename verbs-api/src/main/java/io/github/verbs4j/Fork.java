package io.github.verbs4j;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.ForkStatus;

/**
 * What registered memory and {@code fork()} do to each other. Java forks only to start another
 * program, which gives up the memory at once; native code in the process may do more. Kernels since
 * 5.12 need nothing. Safe for any thread.
 */
public final class Fork {

    private Fork() {}

    /**
     * Says whether registered memory survives a fork.
     *
     * @return the status; on a kernel that copies registered pages always UNNEEDED
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 35
     * @verbs.calls ibv_is_fork_initialized
     */
    public static ForkStatus status() {
        return ForkStatus.of(Check.present(DeviceVerbs::ibv_is_fork_initialized));
    }

    /**
     * Makes registered memory survive a fork, on kernels that need help. To be called before the
     * first registration; it makes each registration slower. Where nothing is needed it does
     * nothing.
     *
     * @throws io.github.verbs4j.types.VerbsException EINVAL: memory is registered already; ENOSYS:
     *     the kernel cannot
     * @verbs.calls ibv_fork_init
     */
    public static void init() {
        int result = DeviceVerbs.ibv_fork_init();
        // It says "too late" even where it would have had nothing to do.
        if (result == Errno.EINVAL && status() == ForkStatus.UNNEEDED) {
            return;
        }
        Check.zero(
                "ibv_fork_init",
                result,
                errno -> errno == Errno.EINVAL ? "memory is registered already" : "");
    }
}
