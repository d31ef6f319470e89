package io.github.verbs4j.examples.lessons;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** The clients of a lesson, each in a thread of its own. */
public final class Clients {

    private final List<FutureTask<Void>> tasks = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Starts one more. */
    public void start(Callable<Void> client) {
        FutureTask<Void> task = new FutureTask<>(client);
        tasks.add(task);
        threads.add(Thread.ofPlatform().daemon().name("client " + tasks.size()).start(task));
    }

    /** {@return whether at least one still runs, and none has failed} */
    public boolean areBusy() {
        return tasks.stream().anyMatch(task -> !task.isDone()) && !hasFailed();
    }

    /** {@return whether one has failed, which {@link #join} throws} */
    public boolean hasFailed() {
        return tasks.stream().anyMatch(task -> task.state() == Future.State.FAILED);
    }

    /** Waits for all of them, and throws what the first one to fail threw. */
    public void join() throws Exception {
        try {
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            // Before the objects that they use are closed.
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
