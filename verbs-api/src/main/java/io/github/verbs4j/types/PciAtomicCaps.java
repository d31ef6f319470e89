package io.github.verbs4j.types;

/**
 * Atomics over the PCI bus, by size ({@code struct ibv_pci_atomic_caps}).
 *
 * @param fetchAdd fetch and add, bits of {@code enum ibv_pci_atomic_op_size}
 * @param swap swap, bits as above
 * @param compareSwap compare and swap, bits as above
 */
public record PciAtomicCaps(int fetchAdd, int swap, int compareSwap) {}
