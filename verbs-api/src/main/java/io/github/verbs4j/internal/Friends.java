package io.github.verbs4j.internal;

import java.lang.invoke.MethodHandles;

/** Where the packages of this module find each other's hidden sides. */
public final class Friends {

    private static volatile CmFriend<?, ?, ?, ?> cm;

    private Friends() {}

    /**
     * Offers the hidden side of the main package.
     *
     * @param friend the hidden side
     */
    public static void offer(CmFriend<?, ?, ?, ?> friend) {
        cm = friend;
    }

    /**
     * The hidden side of the main package.
     *
     * @param <C> the context
     * @param <P> the protection domain
     * @param <Q> the queue pair
     * @param <A> what a queue pair is created with
     * @param context the class that offers it when it is initialized
     * @return the hidden side
     */
    @SuppressWarnings("unchecked") // there is one, of these types
    public static <C, P, Q, A> CmFriend<C, P, Q, A> cm(Class<C> context) {
        try {
            MethodHandles.lookup().ensureInitialized(context);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return (CmFriend<C, P, Q, A>) cm;
    }
}
