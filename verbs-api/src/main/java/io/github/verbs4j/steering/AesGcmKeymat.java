package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ib_uverbs_flow_action_esp_keymat_aes_gcm;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Key material for AES-GCM: C's {@code struct ib_uverbs_flow_action_esp_keymat_aes_gcm}, with
 * initialization vectors in sequence ({@code IV_ALGO_SEQ}, the only way there is). Immutable.
 */
public final class AesGcmKeymat {

    private final long iv;
    private final int salt;
    private final int icvLen;
    private final byte[] aesKey;

    /**
     * Key material.
     *
     * @param aesKey the key: 16, 24 or 32 bytes
     * @param salt 32 bits, as C's field has them
     * @param iv the first initialization vector
     * @param icvLen the length of the integrity check value in bytes: 8, 12 or 16
     * @throws IllegalArgumentException when a length is none of these
     */
    public AesGcmKeymat(byte[] aesKey, int salt, long iv, int icvLen) {
        if (aesKey.length != 16 && aesKey.length != 24 && aesKey.length != 32) {
            throw new IllegalArgumentException(
                    "a key of " + aesKey.length + " bytes, must be 16, 24 or 32");
        }
        if (Check.range("icvLen", icvLen, 8, 16) % 4 != 0) {
            throw new IllegalArgumentException("icvLen is " + icvLen + ", must be 8, 12 or 16");
        }
        this.aesKey = aesKey.clone();
        this.salt = salt;
        this.iv = iv;
        this.icvLen = icvLen;
    }

    MemorySegment encode(Arena arena) {
        MemorySegment s = ib_uverbs_flow_action_esp_keymat_aes_gcm.allocate(arena);
        ib_uverbs_flow_action_esp_keymat_aes_gcm.iv(s, iv);
        ib_uverbs_flow_action_esp_keymat_aes_gcm.salt(s, salt);
        ib_uverbs_flow_action_esp_keymat_aes_gcm.icv_len(s, icvLen);
        ib_uverbs_flow_action_esp_keymat_aes_gcm.key_len(s, aesKey.length);
        MemorySegment.copy(
                MemorySegment.ofArray(aesKey),
                0,
                s,
                ib_uverbs_flow_action_esp_keymat_aes_gcm.aes_key$offset(),
                aesKey.length);
        return s;
    }

    @Override
    public String toString() {
        return "AES-GCM-" + 8 * aesKey.length + ", ICV of " + icvLen + " bytes";
    }
}
