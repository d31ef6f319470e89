package io.github.verbs4j.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/** Mappings that Java cannot make itself. */
public final class Libc {

    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_READ_WRITE = 3;
    public static final int MAP_SHARED = 1;
    public static final int MAP_PRIVATE = 2;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;

    private static final MethodHandle MMAP =
            link("mmap", ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = link("munmap", JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle MEMFD = link("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle TRUNCATE = link("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MALLINFO = mallinfo();
    private static final MethodHandle CLOSE = link("close", JAVA_INT, JAVA_INT);

    private Libc() {}

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, ValueLayout result, ValueLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /** Ten numbers, of which the fifth counts what malloc mapped and the eighth what is in use. */
    @SuppressWarnings("restricted")
    private static MethodHandle mallinfo() {
        Linker linker = Linker.nativeLinker();
        ValueLayout[] fields = new ValueLayout[10];
        Arrays.fill(fields, JAVA_LONG);
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("mallinfo2"),
                FunctionDescriptor.of(MemoryLayout.structLayout(fields)));
    }

    /** A segment over whatever is there. */
    @SuppressWarnings("restricted")
    public static MemorySegment segment(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    /** Maps anonymous private memory that lives as long as the arena. */
    @SuppressWarnings("restricted")
    public static MemorySegment mapAnonymous(Arena arena, long length, int protection) {
        MemorySegment memory =
                map(
                        MemorySegment.NULL,
                        length,
                        protection,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1,
                        0);
        return memory.reinterpret(length, arena, whole -> unmap(whole, length));
    }

    /**
     * Maps {@code copies} times the same memory, one behind the other: a large address range that
     * needs little memory.
     */
    public static MemorySegment mapAliased(Arena arena, long length, int copies) {
        int fd = memfd(length);
        try {
            MemorySegment range = mapAnonymous(arena, length * copies, PROT_NONE);
            for (int i = 0; i < copies; i++) {
                MemorySegment at = MemorySegment.ofAddress(range.address() + i * length);
                map(at, length, PROT_READ_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
            }
            return range;
        } finally {
            close(fd);
        }
    }

    private static MemorySegment map(
            MemorySegment at, long length, int protection, int flags, int fd, long offset) {
        try {
            MemorySegment memory =
                    (MemorySegment) MMAP.invokeExact(at, length, protection, flags, fd, offset);
            if (memory.address() == -1) {
                throw new AssertionError("mmap of " + length + " bytes failed");
            }
            return memory;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Unmaps memory, though an arena may still think it owns it. */
    public static void unmap(MemorySegment memory, long length) {
        try {
            int ignored = (int) MUNMAP.invokeExact(memory, length);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** {@return bytes in use of the main malloc arena, and of what malloc mapped; glibc's} */
    public static long mallocBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) MALLINFO.invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(JAVA_LONG, 7) + info.getAtIndex(JAVA_LONG, 4);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static int memfd(long length) {
        try (Arena arena = Arena.ofConfined()) {
            int fd = (int) MEMFD.invokeExact(arena.allocateFrom("verbs4j"), 0);
            if (fd < 0 || (int) TRUNCATE.invokeExact(fd, length) != 0) {
                throw new AssertionError("memfd_create failed");
            }
            return fd;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void close(int fd) {
        try {
            int ignored = (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
