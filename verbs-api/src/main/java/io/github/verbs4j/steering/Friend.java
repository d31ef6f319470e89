package io.github.verbs4j.steering;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.internal.MainFriend;
import io.github.verbs4j.internal.NativeHandle;
import java.util.Objects;

/** The hidden side of the main package. */
final class Friend {

    static final MainFriend<
                    Device,
                    Context,
                    ProtectionDomain,
                    QpInitAttr,
                    QueuePair,
                    QpInitAttrEx,
                    QueuePairEx,
                    RecvWr,
                    RecvWrArray>
            MAIN = MainFriend.of(Context.class);

    private Friend() {}

    static NativeHandle handleOf(AutoCloseable object, String what) {
        return MAIN.handleOf(Objects.requireNonNull(object, what));
    }
}
