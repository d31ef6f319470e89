package io.github.verbs4j.internal;

import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What can be registered, and why a registration failed. */
public final class RegistrationRules {

    private RegistrationRules() {}

    /**
     * Refuses what no device can register.
     *
     * @param segment the memory
     * @param flags the access asked for
     * @return the access as a set
     */
    public static Set<AccessFlag> check(MemorySegment segment, AccessFlag... flags) {
        if (!Objects.requireNonNull(segment, "segment").isNative()) {
            throw new IllegalArgumentException(
                    "a heap segment cannot be registered: the garbage collector moves it."
                            + " Allocate it off-heap, or use allocateMr");
        }
        if (segment.byteSize() == 0) {
            // Devices differ: some take it, some not, and on rxe the address decides.
            throw new IllegalArgumentException("the segment has no bytes");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(
                    "the segment's arena is closed: its address may be anybody's by now");
        }
        Set<AccessFlag> access = checkAccess(flags);
        if (segment.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
            throw new IllegalArgumentException("LOCAL_WRITE on a read-only segment");
        }
        return access;
    }

    /**
     * Refuses combinations that no device takes.
     *
     * @param flags the access asked for
     * @return the access as a set
     */
    public static Set<AccessFlag> checkAccess(AccessFlag... flags) {
        Objects.requireNonNull(flags, "access");
        Set<AccessFlag> access =
                flags.length == 0 ? Set.of() : Set.copyOf(EnumSet.copyOf(List.of(flags)));
        for (AccessFlag remote : List.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
            if (access.contains(remote) && !access.contains(AccessFlag.LOCAL_WRITE)) {
                throw new IllegalArgumentException(remote + " needs LOCAL_WRITE as well");
            }
        }
        return access;
    }

    /**
     * Refuses a length that the provider would take for another: the siw kernel module counts pages
     * in an int.
     *
     * @param segment the memory
     * @param provider the device's provider
     */
    public static void checkLength(MemorySegment segment, Provider provider) {
        if (provider != Provider.SIW) {
            return;
        }
        long most = Integer.MAX_VALUE * Posix.pageSize();
        if (segment.byteSize() > most) {
            throw new IllegalArgumentException(
                    segment.byteSize() + " bytes; Soft-iWARP registers " + most + " at most");
        }
    }

    /**
     * Explains a failed registration.
     *
     * @param errno what it failed with
     * @param segment the memory
     * @param access the access asked for
     * @return a sentence
     */
    public static String explain(int errno, MemorySegment segment, Set<AccessFlag> access) {
        String asked =
                String.format(
                        "%d bytes at 0x%x, access %s",
                        segment.byteSize(), segment.address(), access);
        return switch (errno) {
            case Errno.ENOMEM -> MemlockLimit.explain(segment.byteSize());
            case Errno.EFAULT ->
                    asked
                            + ": part of it is not mapped, or mapped read-only while the device"
                            + " may write it";
            case Errno.EINVAL -> asked + ": a flag that the device lacks";
            default -> asked;
        };
    }

    /**
     * Explains a failed registration under another address.
     *
     * @param errno what it failed with
     * @param segment the memory
     * @param iova the address asked for
     * @param access the access asked for
     * @return a sentence
     */
    public static String explainIova(
            int errno, MemorySegment segment, long iova, Set<AccessFlag> access) {
        String text = explain(errno, segment, access);
        return errno == Errno.EINVAL && (iova - segment.address()) % Posix.pageSize() != 0
                ? String.format(
                        "%s; or because iova 0x%x has another offset within its page than the"
                                + " memory",
                        text, iova)
                : text;
    }

    /**
     * Explains a failed registration of what is not memory of this process.
     *
     * @param errno what it failed with
     * @param iova the address asked for
     * @param length in bytes
     * @param access the access asked for
     * @return a sentence
     */
    public static String explain(int errno, long iova, long length, Set<AccessFlag> access) {
        return switch (errno) {
            case Errno.EOPNOTSUPP, Errno.ENOSYS -> "the device or its driver cannot";
            case Errno.ENOMEM -> MemlockLimit.explain(-1);
            default -> String.format("%d bytes at 0x%x, access %s", length, iova, access);
        };
    }

    /**
     * Explains a failed re-registration by C's {@code enum ibv_rereg_mr_err_code}.
     *
     * @param result what the verb returned
     * @param errno what it failed with
     * @return a sentence
     */
    public static String explainRereg(int result, int errno) {
        // The soft providers answer ERR_CMD for a command the kernel did not even take.
        boolean untouched =
                result == -1 || result == -2 || errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS;
        return untouched
                ? "the region is as before"
                : result == -3
                        ? "the new registration is in force; fork protection of the old is not"
                                + " undone"
                        : "the region must not be used any more: close it";
    }
}
