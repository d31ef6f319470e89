package io.github.verbs4j.internal;

import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** Allocates memory in whole pages, so that no neighbour shares a page with a registered buffer. */
public enum Pages {
    /** Of the processor's usual size. */
    NORMAL,
    /** Of the default huge page size, from those the administrator reserved. */
    HUGE;

    /**
     * Allocates zeroed memory, touching none of it.
     *
     * @param length in bytes
     * @param arena frees it when closed
     * @return the memory, page-aligned, exactly {@code length} bytes
     * @throws VerbsException ENOMEM
     */
    @SuppressWarnings("restricted")
    public MemorySegment allocate(long length, Arena arena) {
        if (length <= 0) {
            throw new IllegalArgumentException("length is " + length + ", must be 1 or more");
        }
        // What is not huge, the kernel rounds up itself: when mapping, and when unmapping.
        long page = this == HUGE ? hugePageSize() : 1;
        long mapped = Math.ceilDiv(length, page) * page;
        MemorySegment memory = mapped < 0 ? null : Posix.map(mapped, this == HUGE);
        if (memory == null) {
            throw new VerbsException(
                    "mmap",
                    Errno.ENOMEM,
                    length
                            + " bytes"
                            + (this == HUGE
                                    ? " in huge pages of "
                                            + page
                                            + " bytes: reserve more in /proc/sys/vm/nr_hugepages"
                                    : ""));
        }
        return memory.reinterpret(arena, whole -> Posix.unmap(whole)).asSlice(0, length);
    }

    private static long hugePageSize() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("Hugepagesize:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (IOException e) {
            // Falls through: no /proc, no huge pages.
        }
        throw new VerbsException("mmap", Errno.ENOMEM, "this kernel has no huge pages");
    }
}
