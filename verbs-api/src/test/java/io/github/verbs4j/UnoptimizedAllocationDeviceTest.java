package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ChildJvm;
import io.github.verbs4j.testing.RequiresDevice;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The data path allocates nothing where no optimizing compiler removes objects either. */
@RequiresDevice
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnoptimizedAllocationDeviceTest {

    @Test
    @DisplayName("0 B: all of it with the fast compiler alone, as in programs that start quickly")
    void withTheFastCompilerAlone() throws Exception {
        ChildJvm.Result result =
                ChildJvm.run(
                        Duration.ofSeconds(230),
                        List.of(),
                        List.of("-XX:TieredStopAtLevel=1"),
                        Program.class);
        assertEquals(0, result.exit(), result.output());
        assertTrue(result.output().matches("[1-9][0-9]* passed"), result.output());
    }

    /** Carries out what {@link PostAllocationDeviceTest} and its extended sibling test. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws Exception {
            int passed = 0;
            for (Class<?> tests :
                    List.of(PostAllocationDeviceTest.class, ExtendedAllocationDeviceTest.class)) {
                for (Method test : tests.getDeclaredMethods()) {
                    if (test.isAnnotationPresent(Test.class)) {
                        run(tests, test);
                        passed++;
                    }
                }
            }
            System.out.print(passed + " passed");
        }

        private static void run(Class<?> tests, Method test) throws Exception {
            Object instance = tests.getDeclaredConstructor().newInstance();
            if (instance instanceof PostAllocationDeviceTest post) {
                post.open();
                try {
                    test.invoke(instance);
                } finally {
                    post.close();
                }
            } else {
                test.invoke(instance);
            }
        }
    }
}
