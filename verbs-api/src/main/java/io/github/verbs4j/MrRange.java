package io.github.verbs4j;

import java.util.Objects;

/**
 * A part of a region: what C's {@code struct ibv_sge} says in {@code ibv_advise_mr}.
 *
 * @param mr the region
 * @param offset where the part begins, in bytes from the region's start
 * @param length in bytes, up to 4 GiB − 1
 */
public record MrRange(MemoryRegion mr, long offset, long length) {

    private static final long MAX_LENGTH = 0xffffffffL;

    /**
     * Checks the range.
     *
     * @throws IndexOutOfBoundsException when it is not inside the region
     * @throws IllegalArgumentException when it is longer than C's field can say
     */
    public MrRange {
        Objects.requireNonNull(mr, "mr");
        mr.checkRange(offset, length);
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    length + " bytes in one range, at most " + MAX_LENGTH + ": use several");
        }
    }
}
