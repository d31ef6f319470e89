package io.github.verbs4j;

import io.github.verbs4j.internal.CmFriend;
import io.github.verbs4j.internal.QpMaker;
import io.github.verbs4j.types.QpState;
import java.lang.foreign.MemorySegment;

/** The side of this package that only the connection manager's package sees. */
final class CmSupport implements CmFriend<Context, ProtectionDomain, QueuePair, QpInitAttr> {

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
        return new QueuePair(pd, attr, maker);
    }

    @Override
    public void moved(QueuePair qp, QpState state) {
        qp.moved(state);
    }
}
