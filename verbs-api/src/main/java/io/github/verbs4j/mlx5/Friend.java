package io.github.verbs4j.mlx5;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.internal.DriverFriend;
import io.github.verbs4j.internal.NativeHandle;
import java.util.Objects;

/** The hidden side of the main package. */
final class Friend {

    static final DriverFriend<Device, ProtectionDomain, QpInitAttrEx, QueuePairEx> MAIN =
            DriverFriend.of(Context.class);

    private Friend() {}

    static NativeHandle handleOf(AutoCloseable object, String what) {
        return MAIN.handleOf(Objects.requireNonNull(object, what));
    }
}
