package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.cm.RdmaListener;
import io.github.verbs4j.types.VerbsException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Serves whoever comes. A failure of the listener may pass, as when descriptors have run out: it is
 * said and tried again a little later. One that lasts ends the loop.
 */
final class AcceptLoop {

    /** So many failures in a row are one that lasts. */
    static final int MOST_FAILURES = 10;

    private final Requests requests;
    private final Consumer<RdmaListener.Request> service;
    private final Duration pause;
    private final PrintStream log;

    /** {@link RdmaListener#next} with a patience. */
    interface Requests {
        RdmaListener.Request next() throws InterruptedException, TimeoutException;
    }

    AcceptLoop(
            Requests requests,
            Consumer<RdmaListener.Request> service,
            Duration pause,
            PrintStream log) {
        this.log = log;
        this.requests = requests;
        this.service = service;
        this.pause = pause;
    }

    /** Returns when the listener is closed, the thread interrupted, or a failure lasts. */
    void run() {
        int failures = 0;
        while (failures < MOST_FAILURES) {
            try {
                service.accept(requests.next());
                failures = 0;
            } catch (TimeoutException e) {
                // Nobody came for a while.
                failures = 0;
            } catch (VerbsException e) {
                log.println("file-transfer: " + e.getMessage());
                failures++;
                if (!paused()) {
                    return;
                }
            } catch (InterruptedException | IllegalStateException e) {
                return;
            }
        }
    }

    private boolean paused() {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
