package io.github.verbs4j;

import io.github.verbs4j.ffi.CompletionVerbs;
import io.github.verbs4j.internal.NativeHandle;
import java.lang.foreign.MemorySegment;

/**
 * What a completion queue is created with: the arguments of {@code ibv_create_cq}. Copied by the
 * call.
 */
public sealed class CqInitAttr permits CqInitAttrEx {

    private final int cqe;
    private CompletionChannel channel;
    private int compVector;

    /**
     * A queue that is polled, on completion vector 0.
     *
     * @param cqe room for so many completions at least
     */
    public CqInitAttr(int cqe) {
        this.cqe = cqe;
    }

    /**
     * Reports completions on a channel, once {@link CompletionQueue#reqNotify} armed the queue.
     *
     * @param newChannel a channel of the same context
     * @return this
     */
    public CqInitAttr channel(CompletionChannel newChannel) {
        this.channel = newChannel;
        return this;
    }

    /**
     * Chooses the completion vector (interrupt).
     *
     * @param newCompVector 0 to {@link Context#numCompVectors} − 1
     * @return this
     */
    public CqInitAttr compVector(int newCompVector) {
        this.compVector = newCompVector;
        return this;
    }

    /**
     * The size asked for.
     *
     * @return in completions
     */
    public int cqe() {
        return cqe;
    }

    /**
     * The channel.
     *
     * @return the channel, or null
     */
    public CompletionChannel channel() {
        return channel;
    }

    /**
     * The completion vector.
     *
     * @return its number
     */
    public int compVector() {
        return compVector;
    }

    /** What must outlive the queue, beside what every queue needs. */
    NativeHandle[] parents(Context context, NativeHandle... common) {
        return common;
    }

    /** The C function that creates such a queue. */
    String verb() {
        return "ibv_create_cq";
    }

    /** Calls it; returns NULL on failure, with errno set. */
    MemorySegment create(MemorySegment context, MemorySegment cqContext, MemorySegment channelPtr) {
        return CompletionVerbs.ibv_create_cq(context, cqe, cqContext, channelPtr, compVector);
    }

    /** What was asked for beside the size, for messages. */
    String extensions() {
        return "";
    }
}
