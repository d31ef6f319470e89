package io.github.verbs4j.internal;

import io.github.verbs4j.types.QpState;
import java.lang.foreign.MemorySegment;

/**
 * What the main package does for the connection manager's package and shows to nobody else. Its
 * types are parameters because this package lies below both.
 *
 * @param <C> the context
 * @param <P> the protection domain
 * @param <Q> the queue pair
 * @param <A> what a queue pair is created with
 */
public interface CmFriend<C, P, Q, A> {

    /**
     * A context over one that librdmacm opened.
     *
     * @param pointer the native context
     * @return the context, which nothing closes
     */
    C sharedContext(MemorySegment pointer);

    /**
     * A protection domain that stays while the process runs.
     *
     * @param context a shared context
     * @return the domain
     */
    P sharedPd(C context);

    /**
     * A queue pair that librdmacm makes.
     *
     * @param pd its domain
     * @param attr its attributes
     * @param maker makes it
     * @return the queue pair
     */
    Q queuePair(P pd, A attr, QpMaker maker);

    /**
     * Tells a queue pair that librdmacm moved it.
     *
     * @param qp the queue pair
     * @param state its new state
     */
    void moved(Q qp, QpState state);
}
