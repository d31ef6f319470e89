package io.github.verbs4j;

import io.github.verbs4j.internal.DriverFriend;
import io.github.verbs4j.internal.NativeHandle;
import java.lang.foreign.MemorySegment;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** The hidden side of this package that packages of one provider's own verbs need. */
final class DriverSupport
        implements DriverFriend<Device, ProtectionDomain, QpInitAttrEx, QueuePairEx> {

    @Override
    public NativeHandle handleOf(AutoCloseable object) {
        return switch (object) {
            case Context context -> context.nativeHandle();
            case ProtectionDomain pd -> pd.nativeHandle();
            case QueuePair qp -> qp.nativeHandle();
            default -> throw new IllegalArgumentException(object + " has no handle");
        };
    }

    @Override
    public <T> T within(Device device, String verb, Function<MemorySegment, T> code) {
        return device.within(verb, code);
    }

    @Override
    public QueuePairEx create(
            ProtectionDomain pd,
            QpInitAttrEx attr,
            String verb,
            BinaryOperator<MemorySegment> creator,
            boolean streams) {
        return new QueuePairEx(
                pd, attr, new ExtendedQp(pd.context(), attr, verb, creator), streams);
    }
}
