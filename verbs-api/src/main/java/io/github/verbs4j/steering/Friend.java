package io.github.verbs4j.steering;

import io.github.verbs4j.Context;
import io.github.verbs4j.RecvWr;
import io.github.verbs4j.RecvWrArray;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.SteeringFriend;
import java.util.Objects;

/** The hidden side of the main package. */
final class Friend {

    static final SteeringFriend<RecvWr, RecvWrArray> MAIN = SteeringFriend.of(Context.class);

    private Friend() {}

    static NativeHandle handleOf(AutoCloseable object, String what) {
        return MAIN.handleOf(Objects.requireNonNull(object, what));
    }
}
