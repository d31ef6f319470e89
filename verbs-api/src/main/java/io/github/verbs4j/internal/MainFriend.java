package io.github.verbs4j.internal;

import io.github.verbs4j.types.QpState;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * What the main package does for the other packages of this module and shows to nobody else. Its
 * types are parameters because this package lies below all of them.
 *
 * @param <D> the device
 * @param <C> the context
 * @param <P> the protection domain
 * @param <I> what a queue pair is created with
 * @param <Q> the queue pair
 * @param <X> what an extended queue pair is created with
 * @param <E> the extended queue pair
 * @param <R> a receive request
 * @param <A> a chain of them
 */
public interface MainFriend<D, C, P, I, Q, X, E, R, A> {

    /**
     * The life of an object of the main package.
     *
     * @param object a context, domain, completion queue or queue pair
     * @return its handle
     */
    NativeHandle handleOf(AutoCloseable object);

    /**
     * A receive queue.
     *
     * @param verb what posting is called
     * @param queue the queue
     * @param function the provider's function that posts
     * @param maxSge how many elements a request may have
     * @return posts to it
     */
    ReceivePosts<R, A> receives(
            String verb, NativeHandle queue, MemorySegment function, int maxSge);

    /**
     * Lets asynchronous events name an object.
     *
     * @param context its context
     * @param handle its handle
     * @param element the object
     */
    void watchEvents(C context, NativeHandle handle, AutoCloseable element);

    /**
     * Keeps the events of an object that is about to be destroyed.
     *
     * @param context its context
     * @param pointer the native object
     */
    void keepEvents(C context, MemorySegment pointer);

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
    Q queuePair(P pd, I attr, QpMaker maker);

    /**
     * Tells a queue pair that librdmacm moved it.
     *
     * @param qp the queue pair
     * @param state its new state
     */
    void moved(Q qp, QpState state);

    /**
     * Runs code on a native device.
     *
     * @param <T> what it makes
     * @param device the device
     * @param verb what the code calls, for the message when the device is gone
     * @param code the code
     * @return what it made
     */
    <T> T within(D device, String verb, Function<MemorySegment, T> code);

    /**
     * Creates a queue pair that libibverbs alone cannot.
     *
     * @param pd its domain
     * @param attr what is common to all queue pairs
     * @param kind by which rules it changes state
     * @param verb the C function
     * @param creator makes the native queue pair from the native context and a filled {@code struct
     *     ibv_qp_init_attr_ex}, or returns NULL with errno set
     * @param streams whether its requests may name a stream of a DC initiator
     * @return the queue pair
     */
    E create(
            P pd,
            X attr,
            QpKind kind,
            String verb,
            BinaryOperator<MemorySegment> creator,
            boolean streams);

    /** Where the friend is kept. */
    final class Holder {
        private static volatile MainFriend<?, ?, ?, ?, ?, ?, ?, ?, ?> friend;

        private Holder() {}
    }

    /**
     * Offers the hidden side of the main package.
     *
     * @param friend the hidden side
     */
    static void offer(MainFriend<?, ?, ?, ?, ?, ?, ?, ?, ?> friend) {
        Holder.friend = friend;
    }

    /**
     * The hidden side of the main package.
     *
     * @param <D> the device
     * @param <C> the context
     * @param <P> the protection domain
     * @param <I> what a queue pair is created with
     * @param <Q> the queue pair
     * @param <X> what an extended queue pair is created with
     * @param <E> the extended queue pair
     * @param <R> a receive request
     * @param <A> a chain of them
     * @param context the class that offers it when it is initialized
     * @return the hidden side
     */
    @SuppressWarnings("unchecked") // there is one, of these types
    static <D, C, P, I, Q, X, E, R, A> MainFriend<D, C, P, I, Q, X, E, R, A> of(Class<C> context) {
        try {
            MethodHandles.lookup().ensureInitialized(context);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return (MainFriend<D, C, P, I, Q, X, E, R, A>) Holder.friend;
    }
}
