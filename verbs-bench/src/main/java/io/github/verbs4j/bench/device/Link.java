package io.github.verbs4j.bench.device;

import io.github.verbs4j.types.RemoteBuffer;

/** The way to the other end. */
interface Link extends AutoCloseable {

    /** Connects both ends; returns the buffer of the other. */
    RemoteBuffer connect(Endpoint local);

    /** {@return whether {@link #refill} must be called, as the other end is in this process} */
    boolean takesReceivesHere();

    /** Posts receives at the other end for those that were taken. */
    void refill();

    @Override
    void close();
}
