package io.github.verbs4j.examples.cm;

import io.github.verbs4j.cm.RSocket;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Sends and receives data over an rsocket, each as long as it takes. For one thread. */
final class StreamLink {

    private final RSocket socket;
    private final StreamData data;
    private final boolean blocking;
    private final boolean async;
    private final Duration patience;

    StreamLink(RSocket socket, StreamData data, StreamOptions options, Duration patience) {
        this.socket = socket;
        this.data = data;
        blocking = options.isBlocking();
        async = options.has(StreamOptions.Manner.ASYNC);
        this.patience = patience;
    }

    /** Sends transfers and receives as many, or the other way round. */
    void exchange(boolean sendFirst, int size, int count) throws InterruptedException {
        try {
            for (int direction = 0; direction < 2; direction++) {
                for (int i = 0; i < count; i++) {
                    if (sendFirst == (direction == 0)) {
                        send(size);
                    } else {
                        receive(size);
                    }
                }
            }
        } catch (TimeoutException e) {
            throw stuck();
        } catch (VerbsException e) {
            throw e.errno() == Errno.ECONNRESET || e.errno() == Errno.EPIPE ? new PeerGone() : e;
        }
    }

    private void send(int size) throws InterruptedException, TimeoutException {
        data.fill(size);
        for (long sent = 0; sent < size; ) {
            await(RSocket.POLLOUT);
            sent += socket.write(data.slice(sent, size), patience);
        }
    }

    private void receive(int size) throws InterruptedException, TimeoutException {
        for (long received = 0; received < size; ) {
            await(RSocket.POLLIN);
            long some = socket.read(data.slice(received, size), patience);
            if (some < 0) {
                throw new PeerGone();
            }
            received += some;
        }
        data.verify(size);
    }

    private void await(int events) throws InterruptedException {
        if (blocking && !async) {
            return; // The call itself waits.
        }
        long deadline = System.nanoTime() + patience.toNanos();
        Duration nap = blocking ? patience : Duration.ZERO;
        while (socket.poll(events, nap) == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw stuck();
            }
            Thread.yield();
        }
    }

    private ExampleException stuck() {
        return new ExampleException(
                "no data moves for %d s: the peer is stuck, or has other -I, -C or -S",
                patience.toSeconds());
    }
}
