package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every size, offset and constant of the generated classes against what the C compiler says. */
class AbiTest {

    /** Constants of 1 << 31, which jextract makes a negative int: callers mask. */
    private static final Set<String> NEGATIVE =
            Set.of("IBV_RX_HASH_INNER", "IB_UVERBS_PCF_HIERARCHY_INFO_SUP");

    @TempDir Path folder;

    @Test
    void layoutsAreThoseOfThisMachine() throws IOException {
        check(CCompiler.host(), LayoutFacts.of(Abi.MUTEX_GROWTH));
    }

    @Test
    void layoutsOfAarch64DifferByTheMutexOnly() throws IOException {
        check(CCompiler.aarch64(), LayoutFacts.of(Abi.mutexGrowth("aarch64", true)));
    }

    @Test
    void constantsAreThoseOfThisMachine() throws IOException {
        check(CCompiler.host(), constantFacts());
    }

    @Test
    void constantsOfAarch64AreTheSame() throws IOException {
        check(CCompiler.aarch64(), constantFacts());
    }

    @Test
    void offsetsOfFieldsBehindAMutexFollowTheMachine() {
        assertEquals(0, Abi.mutexGrowth("amd64", true));
        assertEquals(8, Abi.mutexGrowth("aarch64", true));
        assertEquals(0, Abi.mutexGrowth("aarch64", false));
    }

    private void check(CCompiler compiler, List<Fact> facts) throws IOException {
        assertTrue(facts.size() > 700, () -> "only " + facts.size() + " facts: not all were found");
        long[] actual = compiler.evaluate(facts.stream().map(Fact::expression).toList(), folder);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < actual.length; i++) {
            Fact fact = facts.get(i);
            if (!fact.agrees(actual[i])) {
                wrong.add(fact.expression() + ": C " + actual[i] + ", Java " + fact.expected());
            }
        }
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    private static List<Fact> constantFacts() {
        List<Fact> facts = new ArrayList<>();
        Classes.HEADERS.forEach(header -> addConstants(header, facts));
        return facts;
    }

    private static void addConstants(Class<?> header, List<Fact> facts) {
        for (Method method : header.getDeclaredMethods()) {
            String name = method.getName();
            boolean function = Classes.method(header, name + "$descriptor").isPresent();
            if (method.getParameterCount() > 0 || name.contains("$") || function) {
                continue;
            }
            switch (Classes.invoke(method)) {
                case Number n when NEGATIVE.contains(name) ->
                        facts.add(new Fact(name, n.intValue() & 0xffff_ffffL));
                case Number n -> facts.add(new Fact(name, n.longValue()));
                case MemorySegment s -> facts.add(new Fact(name, s.address()));
                case Object o -> throw new AssertionError(name + " is a " + o.getClass());
            }
        }
    }
}
