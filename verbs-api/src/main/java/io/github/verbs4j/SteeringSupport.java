package io.github.verbs4j;

import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.ReceivePosts;
import io.github.verbs4j.internal.SteeringFriend;
import java.lang.foreign.MemorySegment;

/** The hidden side of this package that the steering package needs. */
final class SteeringSupport implements SteeringFriend<RecvWr, RecvWrArray> {

    @Override
    public NativeHandle handleOf(AutoCloseable object) {
        return switch (object) {
            case Context context -> context.nativeHandle();
            case ProtectionDomain pd -> pd.nativeHandle();
            case CompletionQueue cq -> cq.nativeHandle();
            case QueuePair qp -> qp.nativeHandle();
            default -> throw new IllegalArgumentException(object + " has no handle");
        };
    }

    @Override
    public void watchEvents(AutoCloseable context, NativeHandle handle, AutoCloseable element) {
        ((Context) context).asyncEvents().watch(handle, element);
    }

    @Override
    public void keepEvents(AutoCloseable context, MemorySegment pointer) {
        ((Context) context).asyncEvents().closing(pointer);
    }

    @Override
    public ReceivePosts<RecvWr, RecvWrArray> receives(
            String verb, NativeHandle queue, MemorySegment function, int maxSge) {
        return new Posts(
                new ReceiveQueue(verb, "the queue is not in RDY", queue, function, maxSge));
    }

    private record Posts(ReceiveQueue queue) implements ReceivePosts<RecvWr, RecvWrArray> {

        @Override
        public void post(RecvWr wr) {
            queue.post(wr);
        }

        @Override
        public boolean tryPost(RecvWr wr) {
            return queue.tryPost(wr);
        }

        @Override
        public void postAll(RecvWrArray wrs) {
            queue.post(wrs);
        }

        @Override
        public int tryPostAll(RecvWrArray wrs, int count) {
            return queue.tryPost(wrs, count);
        }
    }
}
