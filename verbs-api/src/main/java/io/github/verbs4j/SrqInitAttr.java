package io.github.verbs4j;

import io.github.verbs4j.types.SrqType;
import java.util.Objects;

/**
 * What a shared receive queue is created with: C's {@code struct ibv_srq_init_attr_ex}. Copied by
 * the call. The default is a basic queue of receives with one scatter element.
 */
public final class SrqInitAttr {

    private final int maxWr;
    private int maxSge = 1;
    private int srqLimit;
    private SrqType type = SrqType.BASIC;
    private XrcDomain xrcd;
    private CompletionQueue cq;
    private int maxNumTags;
    private int maxOps;

    /**
     * A basic queue.
     *
     * @param maxWr room for so many outstanding receives at least
     */
    public SrqInitAttr(int maxWr) {
        this.maxWr = maxWr;
    }

    /**
     * The size of a receive's scatter list.
     *
     * @param n elements at most
     * @return this
     */
    public SrqInitAttr maxSge(int n) {
        maxSge = n;
        return this;
    }

    /**
     * Arms the limit from the start, as {@link io.github.verbs4j.types.SrqAttr#srqLimit(int)}.
     *
     * @param limit how many receives; 0 for none
     * @return this
     */
    public SrqInitAttr srqLimit(int limit) {
        srqLimit = limit;
        return this;
    }

    /**
     * Makes it a queue for extended reliable connections.
     *
     * @param domain the domain whose receiving queue pairs reach it
     * @param completions takes the completions of its receives
     * @return this
     */
    public SrqInitAttr xrc(XrcDomain domain, CompletionQueue completions) {
        type = SrqType.XRC;
        xrcd = Objects.requireNonNull(domain, "domain");
        cq = Objects.requireNonNull(completions, "completions");
        return this;
    }

    /**
     * Makes it a queue with tag matching.
     *
     * @param completions takes the completions of its receives and list operations
     * @param tags tagged buffers at most
     * @param ops outstanding list operations at most
     * @return this
     */
    public SrqInitAttr tagMatching(CompletionQueue completions, int tags, int ops) {
        type = SrqType.TM;
        cq = Objects.requireNonNull(completions, "completions");
        maxNumTags = tags;
        maxOps = ops;
        return this;
    }

    /**
     * The size asked for.
     *
     * @return in receives
     */
    public int maxWr() {
        return maxWr;
    }

    /**
     * The size of a receive's scatter list.
     *
     * @return in elements
     */
    public int maxSge() {
        return maxSge;
    }

    /**
     * The limit.
     *
     * @return in receives, 0 for none
     */
    public int srqLimit() {
        return srqLimit;
    }

    /**
     * What the queue serves.
     *
     * @return the type
     */
    public SrqType type() {
        return type;
    }

    XrcDomain xrcd() {
        return xrcd;
    }

    CompletionQueue cq() {
        return cq;
    }

    int maxNumTags() {
        return maxNumTags;
    }

    int maxOps() {
        return maxOps;
    }
}
