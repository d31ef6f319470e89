package io.github.verbs4j.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads of a test, whose failures are the test's. */
public final class Threads {

    private Threads() {}

    /** Starts a platform thread. */
    public static <T> FutureTask<T> start(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /** Starts a virtual thread. */
    public static <T> FutureTask<T> startVirtual(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** {@return what the thread made; fails if it does not end} */
    public static <T> T join(FutureTask<T> task) throws InterruptedException, TimeoutException {
        try {
            return task.get(40, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** Runs the same from several threads; returns when all ended. */
    public static <T> List<T> run(int count, Callable<T> body)
            throws InterruptedException, TimeoutException {
        List<FutureTask<T>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(start(body));
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            results.add(join(task));
        }
        return results;
    }
}
