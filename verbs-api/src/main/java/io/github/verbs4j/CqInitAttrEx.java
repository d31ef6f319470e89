package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.ffi.ibv_cq_init_attr_ex;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.WcExFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What an extended completion queue is created with: C's {@code struct ibv_cq_init_attr_ex}. Copied
 * by the call. By default its completions have the {@linkplain WcExFlag#standard standard fields}.
 */
public final class CqInitAttrEx extends CqInitAttr {

    private Set<WcExFlag> wcFlags = Set.copyOf(WcExFlag.standard());
    private boolean singleThreaded;
    private boolean ignoreOverrun;
    private ParentDomain parentDomain;

    /**
     * A queue that is polled, on completion vector 0.
     *
     * @param cqe room for so many completions at least
     */
    public CqInitAttrEx(int cqe) {
        super(cqe);
    }

    @Override
    public CqInitAttrEx channel(CompletionChannel newChannel) {
        super.channel(newChannel);
        return this;
    }

    @Override
    public CqInitAttrEx compVector(int newCompVector) {
        super.compVector(newCompVector);
        return this;
    }

    /**
     * Chooses the fields that completions have, in place of the standard ones.
     *
     * @param first a field
     * @param more further fields
     * @return this
     */
    public CqInitAttrEx wcFlags(WcExFlag first, WcExFlag... more) {
        return wcFlags(
                EnumSet.of(
                        Objects.requireNonNull(first, "first"),
                        Objects.requireNonNull(more, "more")));
    }

    /**
     * Chooses the fields that completions have, in place of the standard ones.
     *
     * @param flags the fields, or none
     * @return this
     */
    public CqInitAttrEx wcFlags(Set<WcExFlag> flags) {
        wcFlags = Set.copyOf(Objects.requireNonNull(flags, "flags"));
        return this;
    }

    /**
     * Lets the provider leave its own lock out. This library still keeps a lock, so that several
     * threads cannot break the queue.
     *
     * @param single true to leave it out
     * @return this
     */
    public CqInitAttrEx singleThreaded(boolean single) {
        singleThreaded = single;
        return this;
    }

    /**
     * Lets completions be overwritten when the queue is full, where the application makes sure by
     * other means that it never is.
     *
     * @param ignore true to leave the check out
     * @return this
     */
    public CqInitAttrEx ignoreOverrun(boolean ignore) {
        ignoreOverrun = ignore;
        return this;
    }

    /**
     * Makes the queue in a parent domain: with a {@link ThreadDomain} in it, the provider may leave
     * out the lock of the queue.
     *
     * @param domain the domain, of the same context; null for none
     * @return this
     */
    public CqInitAttrEx parentDomain(ParentDomain domain) {
        parentDomain = domain;
        return this;
    }

    /**
     * The fields that completions have.
     *
     * @return the fields
     */
    public Set<WcExFlag> wcFlags() {
        return wcFlags;
    }

    /**
     * Tells whether the provider leaves its own lock out.
     *
     * @return true when it does
     */
    public boolean singleThreaded() {
        return singleThreaded;
    }

    /**
     * Tells whether completions may be overwritten.
     *
     * @return true when they may
     */
    public boolean ignoreOverrun() {
        return ignoreOverrun;
    }

    /**
     * The domain that the queue is made in.
     *
     * @return the domain, or null
     */
    public ParentDomain parentDomain() {
        return parentDomain;
    }

    @Override
    NativeHandle[] parents(Context context, NativeHandle... common) {
        if (parentDomain == null) {
            return common;
        }
        Check.sameContext("parentDomain", parentDomain.context(), context);
        NativeHandle[] all = Arrays.copyOf(common, common.length + 1);
        all[common.length] = parentDomain.nativeHandle();
        return all;
    }

    @Override
    String verb() {
        return "ibv_create_cq_ex";
    }

    @Override
    MemorySegment create(MemorySegment context, MemorySegment cqContext, MemorySegment channelPtr) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_cq_init_attr_ex.allocate(arena);
            ibv_cq_init_attr_ex.cqe(attr, cqe());
            ibv_cq_init_attr_ex.cq_context(attr, cqContext);
            ibv_cq_init_attr_ex.channel(attr, channelPtr);
            ibv_cq_init_attr_ex.comp_vector(attr, compVector());
            ibv_cq_init_attr_ex.wc_flags(attr, nativeWcFlags());
            int flags =
                    (singleThreaded ? verbs_h.IBV_CREATE_CQ_ATTR_SINGLE_THREADED() : 0)
                            | (ignoreOverrun ? verbs_h.IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN() : 0);
            int mask = 0;
            if (flags != 0) {
                mask |= verbs_h.IBV_CQ_INIT_ATTR_MASK_FLAGS();
                ibv_cq_init_attr_ex.flags(attr, flags);
            }
            if (parentDomain != null) {
                mask |= verbs_h.IBV_CQ_INIT_ATTR_MASK_PD();
                ibv_cq_init_attr_ex.parent_domain(attr, parentDomain.handle());
            }
            ibv_cq_init_attr_ex.comp_mask(attr, mask);
            return CompletionVerbs.ibv_create_cq_ex(context, attr);
        }
    }

    /**
     * The queue pair and the immediate data are always asked for: the one names who failed, the
     * other which memory window a peer took back.
     */
    private int nativeWcFlags() {
        return WcExFlag.bits(wcFlags) | WcExFlag.QP_NUM.value() | WcExFlag.IMM.value();
    }

    @Override
    String extensions() {
        return ", fields "
                + wcFlags
                + (singleThreaded ? ", single threaded" : "")
                + (ignoreOverrun ? ", ignoring overruns" : "")
                + (parentDomain == null ? "" : ", in " + parentDomain);
    }
}
