package io.github.verbs4j.internal;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * What the main package does for the steering package and shows to nobody else. Its types are
 * parameters because this package lies below both.
 *
 * @param <R> a receive request
 * @param <A> a chain of them
 */
public interface SteeringFriend<R, A> {

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
    void watchEvents(AutoCloseable context, NativeHandle handle, AutoCloseable element);

    /**
     * Keeps the events of an object that is about to be destroyed.
     *
     * @param context its context
     * @param pointer the native object
     */
    void keepEvents(AutoCloseable context, MemorySegment pointer);

    /** Where the friend is kept. */
    final class Holder {
        private static volatile SteeringFriend<?, ?> friend;

        private Holder() {}
    }

    /**
     * Offers the hidden side of the main package.
     *
     * @param friend the hidden side
     */
    static void offer(SteeringFriend<?, ?> friend) {
        Holder.friend = friend;
    }

    /**
     * The hidden side of the main package.
     *
     * @param <R> a receive request
     * @param <A> a chain of them
     * @param context the class that offers it when it is initialized
     * @return the hidden side
     */
    @SuppressWarnings("unchecked") // there is one, of these types
    static <R, A> SteeringFriend<R, A> of(Class<?> context) {
        try {
            MethodHandles.lookup().ensureInitialized(context);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return (SteeringFriend<R, A>) Holder.friend;
    }
}
