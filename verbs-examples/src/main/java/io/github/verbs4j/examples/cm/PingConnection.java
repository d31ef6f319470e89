package io.github.verbs4j.examples.cm;

import io.github.verbs4j.CompletionChannel;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.cm.RdmaConnection;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** What {@code rping} needs of a connection, whoever made its queue pair. */
interface PingConnection extends AutoCloseable {

    /** How many receives are posted. */
    int RECEIVES = 2;

    QueuePair qp();

    CompletionChannel compChannel();

    /** {@return the memory of a receive, by the {@code wr_id} of its completion} */
    MemorySegment received(long number);

    /** Posts a receive again. */
    void repost(long number);

    boolean isConnected() throws InterruptedException;

    void awaitDisconnected(Duration patience) throws InterruptedException;

    @Override
    void close();

    /** {@return the usual kind} */
    static PingConnection of(RdmaConnection connection) {
        return new PingConnection() {
            @Override
            public QueuePair qp() {
                return connection.qp();
            }

            @Override
            public CompletionChannel compChannel() {
                return connection.compChannel();
            }

            @Override
            public MemorySegment received(long number) {
                return connection.received(number);
            }

            @Override
            public void repost(long number) {
                connection.repost(number);
            }

            @Override
            public boolean isConnected() throws InterruptedException {
                return connection.isConnected();
            }

            @Override
            public void awaitDisconnected(Duration patience) throws InterruptedException {
                connection.awaitDisconnected(patience);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }
}
