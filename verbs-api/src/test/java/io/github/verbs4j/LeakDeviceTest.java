package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.ChildJvm;
import io.github.verbs4j.testing.Libc;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.QpType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is opened and closed over and over leaves nothing behind. In JVMs of their own with a heap
 * of fixed size, one malloc arena and no compiler, whose memory then shows what a cycle leaves.
 */
@RequiresDevice
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeakDeviceTest {

    private static final long MALLOC_BYTES = 4 << 10;
    private static final long MAPPED_BYTES = 512 << 10;

    @ParameterizedTest(name = "R {1} times {0} leave no descriptor and no memory")
    @CsvSource({"OBJECTS, 10000", "ALLOCATIONS, 1000", "CONTEXTS, 1000", "FAILURES, 1000"})
    void nothingStays(Cycles what, int count) throws Exception {
        ChildJvm.Result result =
                ChildJvm.run(
                        Duration.ofSeconds(230), // ten times as long as where nothing else runs
                        List.of("env", "MALLOC_ARENA_MAX=1"),
                        List.of("-Xms64m", "-Xint"),
                        Program.class,
                        what.name(),
                        Integer.toString(count));
        assertEquals(0, result.exit(), result.output());
        String last = result.output().lines().toList().getLast();
        long[] growth = Arrays.stream(last.split(" ")).mapToLong(Long::parseLong).toArray();
        assertEquals(0, growth[0], "file descriptors");
        assertTrue(growth[1] < MALLOC_BYTES, growth[1] + " bytes of malloc");
        assertTrue(growth[2] < MAPPED_BYTES, growth[2] + " bytes mapped");
    }

    /** What is done over and over. */
    enum Cycles {
        /** Domain, region, queue, queue pair in one context. */
        OBJECTS {
            @Override
            void once(Context shared) {
                try (ProtectionDomain pd = shared.allocPd();
                        MemoryRegion mr = pd.regMr(PAGE, LOCAL_WRITE);
                        CompletionQueue cq = shared.createCq(4);
                        QueuePair qp = pd.createQp(small(cq))) {
                    check(mr.isOpen() && qp.isOpen());
                }
            }
        },
        /** A region that owns its memory. */
        ALLOCATIONS {
            @Override
            void once(Context shared) {
                try (ProtectionDomain pd = shared.allocPd()) {
                    check(pd.allocateMr(8192, LOCAL_WRITE).isOpen());
                }
            }
        },
        /** A context with a channel, closed from the top. */
        CONTEXTS {
            @Override
            void once(Context shared) {
                Context context = shared.device().open();
                CompletionChannel channel = context.createCompChannel();
                CompletionQueue cq = context.createCq(new CqInitAttr(4).channel(channel));
                ProtectionDomain pd = context.allocPd();
                MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
                QueuePair qp = pd.createQp(small(cq));
                context.close();
                check(!mr.isOpen() && !qp.isOpen());
            }
        },
        /** Calls that fail halfway. */
        FAILURES {
            @Override
            void once(Context shared) {
                try (ProtectionDomain pd = shared.allocPd();
                        CompletionQueue cq = shared.createCq(4)) {
                    fails(() -> pd.createQp(small(cq).maxSendSge(1000)));
                    fails(() -> pd.allocateMr(1 << 20, AccessFlag.ON_DEMAND));
                    fails(() -> pd.allocateMr(0));
                    fails(() -> shared.createCq(-1));
                    fails(() -> shared.queryGid(1, 1 << 20));
                }
            }
        };

        private static final MemorySegment PAGE = Arena.global().allocate(4096, 4096);

        abstract void once(Context shared);

        static QpInitAttr small(CompletionQueue cq) {
            return new QpInitAttr(QpType.RC, cq).maxSendWr(4).maxRecvWr(4);
        }

        static void fails(Runnable call) {
            boolean failed = false;
            try {
                call.run();
            } catch (RuntimeException e) {
                failed = true;
            }
            check(failed);
        }

        static void check(boolean condition) {
            if (!condition) {
                throw new AssertionError();
            }
        }
    }

    /**
     * Prints by how many descriptors, bytes of malloc and bytes mapped the process grew in the
     * block of cycles where it grew least: a leak shows in each, the work of the JVM's own threads
     * not.
     */
    static final class Program {

        private static final int BLOCKS = 5;

        private Program() {}

        public static void main(String[] args) throws IOException {
            Cycles cycle = Cycles.valueOf(args[0]);
            int count = Integer.parseInt(args[1]) / BLOCKS;
            try (Context shared = TestDevice.get(TestDevice.Kind.ROCE).open()) {
                run(cycle, shared, count / 2);
                long[] least = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
                for (int block = 0; block < BLOCKS; block++) {
                    long[] before = measure();
                    run(cycle, shared, count);
                    long[] after = measure();
                    for (int i = 0; i < least.length; i++) {
                        least[i] = Math.min(least[i], after[i] - before[i]);
                    }
                }
                System.out.println(least[0] + " " + least[1] + " " + least[2]);
            }
        }

        private static void run(Cycles cycle, Context shared, int count) {
            for (int i = 0; i < count; i++) {
                cycle.once(shared);
            }
            System.gc();
        }

        private static long[] measure() throws IOException {
            try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
                return new long[] {fds.count(), Libc.mallocBytes(), mappedBytes()};
            }
        }

        /** Of the address space without malloc's, which only grows. */
        private static long mappedBytes() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(line -> !line.endsWith("[heap]"))
                    .mapToLong(Program::length)
                    .sum();
        }

        private static long length(String map) {
            String[] range = map.substring(0, map.indexOf(' ')).split("-");
            return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16);
        }
    }
}
