package io.github.verbs4j.steering;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.internal.Check;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a work queue is created with: C's {@code struct ibv_wq_init_attr}. Copied by the call. The
 * defaults are 16 requests of one element.
 */
public final class WqInitAttr {

    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final EnumSet<WqFlag> flags = EnumSet.noneOf(WqFlag.class);
    private int maxWr = 16;
    private int maxSge = 1;

    /**
     * A receive queue ({@code IBV_WQT_RQ}, the only type there is).
     *
     * @param pd the domain of its memory
     * @param cq takes its completions
     */
    public WqInitAttr(ProtectionDomain pd, CompletionQueue cq) {
        this.pd = Objects.requireNonNull(pd, "pd");
        this.cq = Objects.requireNonNull(cq, "cq");
    }

    /**
     * Its depth.
     *
     * @param n outstanding requests at most, 1 or more
     * @return this
     */
    public WqInitAttr maxWr(int n) {
        maxWr = (int) Check.range("maxWr", n, 1, Integer.MAX_VALUE);
        return this;
    }

    /**
     * The size of a request's scatter list.
     *
     * @param n elements at most, 0 or more
     * @return this
     */
    public WqInitAttr maxSge(int n) {
        maxSge = (int) Check.range("maxSge", n, 0, Integer.MAX_VALUE);
        return this;
    }

    /**
     * Sets what it does with packets.
     *
     * @param newFlags the flags, in place of those set before
     * @return this
     */
    public WqInitAttr createFlags(WqFlag... newFlags) {
        flags.clear();
        flags.addAll(List.of(newFlags));
        return this;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CompletionQueue cq() {
        return cq;
    }

    int maxWr() {
        return maxWr;
    }

    int maxSge() {
        return maxSge;
    }

    Set<WqFlag> flags() {
        return flags;
    }
}
