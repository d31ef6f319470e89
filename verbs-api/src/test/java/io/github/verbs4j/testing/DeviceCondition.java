package io.github.verbs4j.testing;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips a test of {@link RequiresDevice} where its device is missing. */
final class DeviceCondition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        TestDevice.Kind kind =
                AnnotationSupport.findAnnotation(context.getElement(), RequiresDevice.class)
                        .map(RequiresDevice::value)
                        .orElse(TestDevice.Kind.ROCE);
        return TestDevice.find(kind)
                .map(device -> ConditionEvaluationResult.enabled("on " + device.name()))
                .orElseGet(
                        () ->
                                ConditionEvaluationResult.disabled(
                                        "no "
                                                + kind
                                                + " device here; scripts/test runs this test on"
                                                + " Soft-RoCE"));
    }
}
