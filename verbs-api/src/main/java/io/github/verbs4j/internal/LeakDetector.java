package io.github.verbs4j.internal;

import java.lang.ref.Cleaner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports objects that were garbage collected without having been closed. It destroys nothing: a
 * device may be working with them, and only the user knows the right moment.
 *
 * <p>With the system property {@code verbs4j.leakTracking=true} the report shows where the object
 * was created.
 */
public final class LeakDetector {

    private static final Logger LOG = LoggerFactory.getLogger("io.github.verbs4j.leak");
    private static final boolean TRACKING = Boolean.getBoolean("verbs4j.leakTracking");
    private static final Cleaner CLEANER = Cleaner.create();

    private LeakDetector() {}

    /**
     * Watches an object.
     *
     * @param owner the public object its user holds
     * @param handle the native object it owns; must not refer to {@code owner}
     */
    public static void watch(Object owner, NativeHandle handle) {
        Throwable site = TRACKING ? new Throwable("created here") : null;
        CLEANER.register(owner, () -> report(handle, site));
    }

    private static void report(NativeHandle handle, Throwable site) {
        if (!handle.isOpen()) {
            return;
        }
        if (site != null) {
            LOG.warn("{} was garbage collected but never closed", handle, site);
        } else {
            LOG.warn(
                    "{} was garbage collected but never closed"
                            + " (-Dverbs4j.leakTracking=true shows where it was created)",
                    handle);
        }
    }
}
