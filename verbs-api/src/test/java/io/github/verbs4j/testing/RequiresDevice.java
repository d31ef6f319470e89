package io.github.verbs4j.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that need an RDMA device. Without one they are skipped, saying how to get one; {@code
 * scripts/test} runs them on Soft-RoCE and fails if any was skipped.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("device")
@ExtendWith(DeviceCondition.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public @interface RequiresDevice {

    /** {@return the provider the tests are about; by default the first device that is not siw} */
    TestDevice.Kind value() default TestDevice.Kind.ROCE;
}
