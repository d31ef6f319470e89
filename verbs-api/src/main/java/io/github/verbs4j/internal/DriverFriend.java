package io.github.verbs4j.internal;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * What the main package does for packages of one provider's own verbs and shows to nobody else. Its
 * types are parameters because this package lies below both.
 *
 * @param <D> a device
 * @param <P> a protection domain
 * @param <A> what a queue pair is created with
 * @param <Q> a queue pair
 */
public interface DriverFriend<D, P, A, Q> {

    /**
     * The life of an object of the main package.
     *
     * @param object a context, domain or queue pair
     * @return its handle
     */
    NativeHandle handleOf(AutoCloseable object);

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
     * @param verb the C function
     * @param creator makes the native queue pair from the native context and a filled {@code struct
     *     ibv_qp_init_attr_ex}, or returns NULL with errno set
     * @param streams whether its requests may name a stream of a DC initiator
     * @return the queue pair
     */
    Q create(P pd, A attr, String verb, BinaryOperator<MemorySegment> creator, boolean streams);

    /** Where the friend is kept. */
    final class Holder {
        private static volatile DriverFriend<?, ?, ?, ?> friend;

        private Holder() {}
    }

    /**
     * Offers the hidden side of the main package.
     *
     * @param friend the hidden side
     */
    static void offer(DriverFriend<?, ?, ?, ?> friend) {
        Holder.friend = friend;
    }

    /**
     * The hidden side of the main package.
     *
     * @param <D> a device
     * @param <P> a protection domain
     * @param <A> what a queue pair is created with
     * @param <Q> a queue pair
     * @param context the class that offers it when it is initialized
     * @return the hidden side
     */
    @SuppressWarnings("unchecked") // there is one, of these types
    static <D, P, A, Q> DriverFriend<D, P, A, Q> of(Class<?> context) {
        try {
            MethodHandles.lookup().ensureInitialized(context);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return (DriverFriend<D, P, A, Q>) Holder.friend;
    }
}
