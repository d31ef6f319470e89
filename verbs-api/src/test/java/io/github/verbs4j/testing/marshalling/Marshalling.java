package io.github.verbs4j.testing.marshalling;

import java.lang.annotation.ElementType;
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
 * Tests against a stand-in for libibverbs. Without a C compiler and the headers of rdma-core, or
 * where the real library was loaded before, they are skipped.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("marshalling")
@ExtendWith(StandInExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
public @interface Marshalling {}
