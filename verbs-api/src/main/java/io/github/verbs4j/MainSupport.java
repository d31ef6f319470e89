package io.github.verbs4j;

import io.github.verbs4j.internal.MainFriend;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.internal.ReceivePosts;
import io.github.verbs4j.types.QpState;
import java.lang.foreign.MemorySegment;

/** The side of this package that only the other packages of this module see. */
final class MainSupport
        implements MainFriend<
                Context, ProtectionDomain, QueuePair, QpInitAttr, RecvWr, RecvWrArray> {

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
    public void watchEvents(Context context, NativeHandle handle, AutoCloseable element) {
        context.asyncEvents().watch(handle, element);
    }

    @Override
    public void keepEvents(Context context, MemorySegment pointer) {
        context.asyncEvents().closing(pointer);
    }

    @Override
    public ReceivePosts<RecvWr, RecvWrArray> receives(
            String verb, NativeHandle queue, MemorySegment function, int maxSge) {
        return new Posts(
                new ReceiveQueue(verb, "the queue is not in RDY", queue, function, maxSge));
    }

    @Override
    public Context sharedContext(MemorySegment pointer) {
        return Context.shared(pointer);
    }

    @Override
    public ProtectionDomain sharedPd(Context context) {
        return ProtectionDomain.shared(context);
    }

    @Override
    public QueuePair queuePair(ProtectionDomain pd, QpInitAttr attr, QpMaker maker) {
        return attr instanceof QpInitAttrEx extended
                ? new QueuePairEx(pd, extended, new ExtendedInit(extended, maker), false)
                : new QueuePair(pd, attr, maker);
    }

    @Override
    public void moved(QueuePair qp, QpState state) {
        qp.moved(state);
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
