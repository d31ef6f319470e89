package io.github.verbs4j.examples.lessons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.Device;
import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.Result;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each lesson runs and says what it verified. */
@RequiresDevice
class LessonsDeviceTest {

    private static final String DEVICE =
            TestDevice.find(TestDevice.Kind.ROCE).map(Device::name).orElse("none");

    private static String run(String options) throws Exception {
        List<String> words = new ArrayList<>(List.of(options.split(" ")));
        words.addAll(List.of("-d", DEVICE));
        Result result = Example.run(words.toArray(String[]::new));
        return result.succeeded().out();
    }

    private static void assertLine(String pattern, String out) {
        assertTrue(out.lines().anyMatch(line -> line.matches(pattern)), pattern + "\n" + out);
    }

    @Test
    void gatherScatterVerifiesEachElement() throws Exception {
        String out = run("gather-scatter");
        assertLine(
                "SEND +gathered 16 \\+ 3001 \\+ 7 bytes, scattered to 1000 \\+ 2000 \\+ 24", out);
        assertTrue(out.endsWith("All 4 operations verified.\n"), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c 1 -n 20", "-c 4 -n 50"})
    void atomicsAreExact(String options) throws Exception {
        String out = run("atomics " + options);
        int tickets = options.startsWith("-c 1") ? 20 : 200;
        assertLine("FETCH_AND_ADD .* took " + tickets + " tickets: each of 0 to .* once", out);
        assertLine("COMPARE_AND_SWAP .* taken " + tickets + " times in .*: no update lost", out);
        assertTrue(out.endsWith("Counter and lock verified.\n"), out);
    }

    @Test
    void unsignaledBatchesGiveOneCompletionEach() throws Exception {
        String out = run("unsignaled -n 640");
        assertLine(" +1 +640 +640 +[0-9.]+", out);
        assertLine(" +32 +20 +20 +[0-9.]+", out);
        assertTrue(out.endsWith("All 640 numbers verified after each run.\n"), out);
    }

    @Test
    void inlineDataMayChangeOncePosted() throws Exception {
        String out = run("inline -n 50 -I 64");
        assertLine("asked for 64 bytes inline, granted [0-9]+", out);
        assertLine(" +64 +[0-9.]+ +[0-9.]+", out);
        assertLine("[0-9]+ bytes are refused: .*", out);
        assertTrue(out.endsWith("what its buffer held when it was posted.\n"), out);
    }

    @Test
    void fencedSendsWaitForTheRead() throws Exception {
        String out = run("fence -n 100");
        assertLine("with FENCE +0 of 100 messages held old data", out);
        assertTrue(out.endsWith("Fenced messages verified.\n"), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c 4 -n 100 -r 8", "-c 3 -n 50 -r 1"})
    void sharedReceivesServeEveryClient(String options) throws Exception {
        String out = run("srq " + options);
        assertLine("[0-9] receives served [0-9] clients with [0-9]+ messages each.", out);
        assertTrue(out.endsWith("once, in the order its client sent it.\n"), out);
    }

    @Test
    void zcopyMeasuresEachSizeInThreeWays() throws Exception {
        String out = run("zcopy -n 2 -s 300000");
        List<String> sizes =
                out.lines()
                        .filter(line -> line.matches(" +[0-9]+( +[0-9.]+){4}"))
                        .map(line -> line.strip().split(" ")[0])
                        .toList();
        assertEquals(List.of("64", "256", "1024", "4096", "16384", "65536", "262144"), sizes);
        assertLine("Zero copy is faster from [0-9]+ bytes on.|Copying is faster up to .*", out);
        assertTrue(out.endsWith("Every byte of every transfer verified.\n"), out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 200", "-c 1 -n 50 --puts 100 -k 1", "-c 4 -n 100 -k 2 -s 20000"})
    void kvStoreStaysConsistent(String options) throws Exception {
        String out = run("kv-store " + options);
        assertLine("[0-9] clients: [0-9]+ GETs and [0-9]+ PUTs in .* seconds", out);
        assertTrue(
                out.endsWith("Consistency verified: every value whole, none stale, no PUT lost.\n"),
                out);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gather-scatter",
                "atomics",
                "unsignaled",
                "inline",
                "fence",
                "srq",
                "zcopy",
                "kv-store"
            })
    void aDeviceThatIsNotThereIsSaid(String lesson) throws Exception {
        Example.run(lesson, "-d", "nosuch0").failed(1, "no device nosuch0; this machine has ");
    }

    @Test
    void aDeviceThatConnectsOnlyByTheConnectionManagerIsRefused() throws Exception {
        Device iwarp = TestDevice.find(TestDevice.Kind.SIW).orElse(null);
        if (iwarp != null) {
            Example.run("atomics", "-d", iwarp.name())
                    .failed(1, iwarp.name() + " is no InfiniBand or RoCE device");
        }
    }
}
