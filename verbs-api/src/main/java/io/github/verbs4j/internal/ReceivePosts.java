package io.github.verbs4j.internal;

/**
 * Posts receive requests to a queue of another package. Its types are parameters because this
 * package lies below both.
 *
 * @param <R> a receive request
 * @param <A> a chain of them
 */
public interface ReceivePosts<R, A> {

    /**
     * Posts a request.
     *
     * @param wr the request
     */
    void post(R wr);

    /**
     * Posts a request unless the queue is full.
     *
     * @param wr the request
     * @return false when the queue is full
     */
    boolean tryPost(R wr);

    /**
     * Posts a chain.
     *
     * @param wrs the requests
     */
    void postAll(A wrs);

    /**
     * Posts the first requests of a chain, as many as there is room for.
     *
     * @param wrs the requests
     * @param count how many
     * @return how many were posted
     */
    int tryPostAll(A wrs, int count);
}
