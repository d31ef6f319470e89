package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ibv_rx_hash_conf;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How received packets are hashed: C's {@code struct ibv_rx_hash_conf}. Immutable.
 *
 * @see io.github.verbs4j.types.RssCaps
 */
public final class RxHashConf {

    private static final int MAX_KEY = 255;

    private final RxHashFunction function;
    private final byte[] key;
    private final Set<RxHashField> fields;

    /**
     * A configuration.
     *
     * @param function the hash function
     * @param key its key; devices ask for 40 bytes for Toeplitz
     * @param fields what it covers; none sends all packets to one entry
     * @throws IllegalArgumentException when the key is longer than 255 bytes
     */
    public RxHashConf(RxHashFunction function, byte[] key, RxHashField... fields) {
        this.function = Objects.requireNonNull(function, "function");
        this.key = key.clone();
        EnumSet<RxHashField> set = EnumSet.noneOf(RxHashField.class);
        set.addAll(List.of(fields));
        this.fields = Set.copyOf(set);
        if (key.length > MAX_KEY) {
            throw new IllegalArgumentException(
                    "a key of " + key.length + " bytes, at most " + MAX_KEY);
        }
    }

    /**
     * The hash function.
     *
     * @return the function
     */
    public RxHashFunction function() {
        return function;
    }

    /**
     * The key.
     *
     * @return a copy
     */
    public byte[] key() {
        return key.clone();
    }

    /**
     * What the hash covers.
     *
     * @return the fields
     */
    public Set<RxHashField> fields() {
        return fields;
    }

    void write(MemorySegment conf, Arena arena) {
        ibv_rx_hash_conf.rx_hash_function(conf, (byte) function.value());
        ibv_rx_hash_conf.rx_hash_key_len(conf, (byte) key.length);
        MemorySegment copy = arena.allocate(Math.max(key.length, 1));
        MemorySegment.copy(MemorySegment.ofArray(key), 0, copy, 0, key.length);
        ibv_rx_hash_conf.rx_hash_key(conf, copy);
        ibv_rx_hash_conf.rx_hash_fields_mask(conf, RxHashField.bits(fields));
    }

    @Override
    public String toString() {
        return function + " over " + fields;
    }
}
