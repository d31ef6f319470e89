package io.github.verbs4j;

import io.github.verbs4j.types.AsyncEventType;

/**
 * An asynchronous event: a copy of C's {@code struct ibv_async_event}, acknowledged already. Each
 * kind names what it is about. An object that this library does not know any more, because its user
 * lost it, is null.
 */
public sealed interface AsyncEvent {

    /**
     * What happened.
     *
     * @return the type
     */
    AsyncEventType type();

    /**
     * Something happened to a queue pair.
     *
     * @param type what happened
     * @param qp the queue pair, or null; also null for a {@code steering.RssQueuePair}, which its
     *     number tells
     * @param qpNum its number
     */
    record Qp(AsyncEventType type, QueuePair qp, int qpNum) implements AsyncEvent {}

    /**
     * Something happened to a completion queue.
     *
     * @param type what happened
     * @param cq the queue, or null
     */
    record Cq(AsyncEventType type, CompletionQueue cq) implements AsyncEvent {}

    /**
     * Something happened to a shared receive queue.
     *
     * @param type what happened
     * @param srq the queue, or null
     */
    record Srq(AsyncEventType type, SharedReceiveQueue srq) implements AsyncEvent {}

    /**
     * Something happened to a work queue.
     *
     * @param type what happened
     * @param wq the {@code steering.WorkQueue}, or null; {@code WorkQueue.of(event)} and the
     *     pattern {@code AsyncEvent.Wq(var type, WorkQueue wq, int wqNum)} name it by its type,
     *     which this package lies below
     * @param wqNum its number
     */
    record Wq(AsyncEventType type, AutoCloseable wq, int wqNum) implements AsyncEvent {}

    /**
     * Something happened to a port.
     *
     * @param type what happened
     * @param portNum the port, from 1
     */
    record Port(AsyncEventType type, int portNum) implements AsyncEvent {}

    /**
     * Something happened to the device.
     *
     * @param type what happened; UNRECOGNIZED if this library does not know it
     * @param rawType C's {@code event_type}
     */
    record Device(AsyncEventType type, int rawType) implements AsyncEvent {}
}
