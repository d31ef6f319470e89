package io.github.verbs4j.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Objects;

/** The few functions of libc that verbs programs need beside the verbs. */
public final class Posix {

    /** {@code poll(2)}: data to read. */
    public static final short POLLIN = 1;

    private static final int PROT_READ_WRITE = 1 | 2;
    private static final int MAP_PRIVATE_ANONYMOUS = 2 | 0x20;
    private static final int MAP_HUGETLB = 0x40000;
    private static final int SC_PAGESIZE = 30;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_RDONLY_CLOEXEC = 0x80000;

    // A holder for each, as linking takes milliseconds at start and no program calls all.
    private static final class Mmap {
        static final MethodHandle CALL =
                link("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    }

    private static final class Munmap {
        static final MethodHandle CALL = link("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
    }

    private static final class Poll {
        static final MethodHandle CALL = link("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    }

    private static final class Close {
        static final MethodHandle CALL = link("close", JAVA_INT, JAVA_INT);
    }

    private static final class Fcntl {
        static final MethodHandle CALL = variadicFcntl();
    }

    private static final class Open {
        static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
        static final long ERRNO =
                CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
        static final MethodHandle CALL = variadicOpen();
    }

    private static final class PageSize {
        static final long VALUE;

        static {
            try {
                VALUE = (long) link("sysconf", JAVA_LONG, JAVA_INT).invokeExact(SC_PAGESIZE);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    private Posix() {}

    /**
     * The size of a memory page.
     *
     * @return it, in bytes
     */
    public static long pageSize() {
        return PageSize.VALUE;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, ValueLayout result, ValueLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle variadicFcntl() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("fcntl"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle variadicOpen() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.firstVariadicArg(2),
                Linker.Option.captureCallState("errno"));
    }

    /**
     * Maps zeroed, page-aligned, private memory: as many whole pages as it takes.
     *
     * @param length in bytes; a multiple of the huge page size when huge
     * @param huge from the reserved huge pages
     * @return the memory, or null when there is not enough
     */
    @SuppressWarnings("restricted")
    public static MemorySegment map(long length, boolean huge) {
        int flags = MAP_PRIVATE_ANONYMOUS | (huge ? MAP_HUGETLB : 0);
        try {
            MemorySegment memory =
                    (MemorySegment)
                            Mmap.CALL.invokeExact(
                                    MemorySegment.NULL, length, PROT_READ_WRITE, flags, -1, 0L);
            return memory.address() == -1 ? null : memory.reinterpret(length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Undoes {@link #map}.
     *
     * @param memory what it returned
     */
    public static void unmap(MemorySegment memory) {
        try {
            int ignored = (int) Munmap.CALL.invokeExact(memory, memory.byteSize());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Waits until a file descriptor is readable. Blocks the thread (a virtual one's carrier too).
     *
     * @param pollfd 8 bytes of memory of the caller's own
     * @param fd the descriptor
     * @param millis at most so long; 0 only looks
     * @return 1 when it is readable, or broken, so that reading it tells why; 0 when the time is
     *     up; less when a signal ended the wait
     */
    public static int awaitReadable(MemorySegment pollfd, int fd, int millis) {
        pollfd.set(JAVA_INT, 0, fd);
        pollfd.set(JAVA_SHORT, 4, POLLIN);
        pollfd.set(JAVA_SHORT, 6, (short) 0);
        try {
            return (int) Poll.CALL.invokeExact(pollfd, 1L, millis);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Opens a file for reading.
     *
     * @param file the file
     * @return its descriptor; close it
     * @throws VerbsException when it cannot be opened
     */
    public static int open(Path file) {
        Objects.requireNonNull(file, "file");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Open.CAPTURE);
            int fd =
                    (int)
                            Open.CALL.invokeExact(
                                    state, arena.allocateFrom(file.toString()), O_RDONLY_CLOEXEC);
            if (fd < 0) {
                throw new VerbsException("open", state.get(JAVA_INT, Open.ERRNO), file.toString());
            }
            return fd;
        } catch (VerbsException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Closes a file descriptor.
     *
     * @param fd the descriptor
     */
    public static void close(int fd) {
        try {
            int ignored = (int) Close.CALL.invokeExact(fd);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Makes reads of a file descriptor return at once when there is nothing.
     *
     * @param fd the descriptor
     */
    public static void setNonBlocking(int fd) {
        try {
            int flags = (int) Fcntl.CALL.invokeExact(fd, F_GETFL, 0);
            int ignored = (int) Fcntl.CALL.invokeExact(fd, F_SETFL, flags | O_NONBLOCK);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Copies memory into an arena-owned pollfd, for {@link #awaitReadable}.
     *
     * @return memory for one struct pollfd, freed by the garbage collector
     */
    public static MemorySegment newPollfd() {
        return Arena.ofAuto().allocate(8, 4);
    }
}
