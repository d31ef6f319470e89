package io.github.verbs4j;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.ffi.ibv_sge;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.Advice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Encodes {@code ibv_advise_mr}. */
final class MrAdvice {

    private MrAdvice() {}

    static void give(ProtectionDomain pd, Advice advice, boolean flush, MrRange... ranges) {
        Objects.requireNonNull(advice, "advice");
        if (ranges.length == 0) {
            throw new IllegalArgumentException("no range to advise on");
        }
        int entered = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = ibv_sge.allocateArray(ranges.length, arena);
            for (; entered < ranges.length; entered++) {
                MrRange range = ranges[entered];
                Check.sameContext("a range's region", range.mr().pd().context(), pd.context());
                handle(range).acquire();
                MemorySegment sge = ibv_sge.asSlice(list, entered);
                ibv_sge.addr(sge, range.mr().iova() + range.offset());
                ibv_sge.length(sge, (int) range.length());
                ibv_sge.lkey(sge, range.mr().lkey());
            }
            int flags = flush ? verbs_h.IBV_ADVISE_MR_FLAG_FLUSH() : 0;
            Check.zero(
                    "ibv_advise_mr",
                    pd.nativeHandle()
                            .call(
                                    pointer ->
                                            MemoryVerbs.ibv_advise_mr(
                                                    pointer,
                                                    advice.value(),
                                                    flags,
                                                    list,
                                                    ranges.length)),
                    errno -> advice + " of " + ranges.length + " ranges");
        } finally {
            while (--entered >= 0) {
                handle(ranges[entered]).release();
            }
        }
    }

    private static NativeHandle handle(MrRange range) {
        return range.mr().nativeHandle();
    }
}
