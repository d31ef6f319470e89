package io.github.verbs4j.bench.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.types.AtomicCap;
import io.github.verbs4j.types.VerbsException;
import java.util.Optional;

/** What a device lacks for a workload. */
public final class Lack {

    private Lack() {}

    /**
     * Makes the queue pair of a workload, and takes it back.
     *
     * @param choice where
     * @param load what
     * @return why the device cannot carry it out, if it cannot
     */
    public static Optional<String> of(DeviceChoice choice, Workload load) {
        if (load.operation().isAtomic() && !hasAtomics(choice)) {
            return Optional.of("the device has no atomic operations");
        }
        try {
            Endpoint.open(choice, load).close();
            return Optional.empty();
        } catch (VerbsException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static boolean hasAtomics(DeviceChoice choice) {
        try (Context context = choice.open()) {
            return context.queryDevice().atomicCap() != AtomicCap.NONE;
        }
    }
}
