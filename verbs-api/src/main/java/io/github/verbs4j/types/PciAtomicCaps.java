package io.github.verbs4j.types;

/**
 * Atomics over the PCI bus, by size ({@code struct ibv_pci_atomic_caps}).
 *
 * @param fetchAdd fetch and add, bits of {@code enum ibv_pci_atomic_op_size}
 * @param swap swap, bits as above
 * @param compareSwap compare and swap, bits as above
 */
public record PciAtomicCaps(int fetchAdd, int swap, int compareSwap) {

    /**
     * Tells whether bits of this record have a size.
     *
     * @param bits {@link #fetchAdd}, {@link #swap} or {@link #compareSwap}
     * @param bytes 4, 8 or 16
     * @return whether the atomic works on operands of this size
     * @throws IllegalArgumentException for another size
     */
    public static boolean hasSize(int bits, int bytes) {
        if (bytes != 4 && bytes != 8 && bytes != 16) {
            throw new IllegalArgumentException("bytes must be 4, 8 or 16, was " + bytes);
        }
        return (bits & bytes >> 2) != 0;
    }
}
