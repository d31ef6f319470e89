package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Every size, offset and constant of the generated classes against what the C compiler says. */
class AbiTest {

    /** Unions and structs that C knows only by a typedef. */
    private static final Set<String> TYPEDEFS =
            Set.of("__atomic_wide_counter", "fd_set", "pthread_cond_t", "pthread_mutex_t");

    /** Constants of 1 << 31, which jextract makes a negative int: callers mask. */
    private static final Set<String> NEGATIVE =
            Set.of("IBV_RX_HASH_INNER", "IB_UVERBS_PCF_HIERARCHY_INFO_SUP");

    private static final MemoryLayout MUTEX = pthread_mutex_t.layout().withoutName();

    @TempDir Path folder;

    /** An expression of C and the value it must have. */
    private record Fact(String expression, long expected) {}

    @Test
    void layoutsAreThoseOfThisMachine() throws IOException {
        check(CCompiler.host(), layoutFacts(Abi.MUTEX_GROWTH));
    }

    @Test
    void layoutsOfAarch64DifferByTheMutexOnly() throws IOException {
        check(CCompiler.aarch64(), layoutFacts(Abi.mutexGrowth("aarch64")));
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
        assertEquals(0, Abi.mutexGrowth("amd64"));
        assertEquals(8, Abi.mutexGrowth("aarch64"));
    }

    private void check(CCompiler compiler, List<Fact> facts) throws IOException {
        long[] actual = compiler.evaluate(facts.stream().map(Fact::expression).toList(), folder);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < actual.length; i++) {
            Fact fact = facts.get(i);
            if (actual[i] != fact.expected()) {
                wrong.add(fact.expression() + ": C " + actual[i] + ", Java " + fact.expected());
            }
        }
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    private static List<Fact> layoutFacts(long growth) {
        List<Fact> facts = new ArrayList<>();
        for (Class<?> struct : Classes.structs()) {
            if (growth != 0 && struct.getSimpleName().startsWith("__pthread")) {
                continue; // inside a mutex the C libraries of two machines need not agree
            }
            GroupLayout layout = layout(struct);
            String type = cName(struct, layout);
            addType(facts, growth, struct, layout, type, "", 0);
        }
        assertTrue(facts.size() > 1800, () -> "only " + facts.size() + " facts");
        return facts;
    }

    /**
     * @param path the members that lead to this anonymous struct, such as "wr.rdma.", or nothing
     * @param start how far from the start of the type that is, by the generated layouts
     */
    private static void addType(
            List<Fact> facts,
            long growth,
            Class<?> struct,
            GroupLayout layout,
            String type,
            String path,
            long start) {
        String self = path.isEmpty() ? type : member(type, path.substring(0, path.length() - 1));
        facts.add(new Fact("sizeof(" + self + ")", grown(layout, growth)));
        for (Method method : struct.getDeclaredMethods()) {
            if (!method.getName().endsWith("$offset")) {
                continue;
            }
            String field = method.getName().replace("$offset", "");
            MemoryLayout fieldLayout =
                    (MemoryLayout)
                            Classes.invoke(Classes.method(struct, field + "$layout").orElseThrow());
            long offset = (long) Classes.invoke(method);
            long shift = growth * mutexesBefore(layout, offset);
            String name = path + field;
            facts.add(new Fact("offsetof(" + type + ", " + name + ")", start + offset + shift));
            if (!type.equals("pthread_mutex_t") || growth == 0) {
                facts.add(
                        new Fact("sizeof(" + member(type, name) + ")", grown(fieldLayout, growth)));
            }
            nested(struct, field)
                    .ifPresent(
                            n ->
                                    addType(
                                            facts,
                                            growth,
                                            n,
                                            layout(n),
                                            type,
                                            name + ".",
                                            start + offset + shift));
        }
    }

    private static java.util.Optional<Class<?>> nested(Class<?> struct, String field) {
        return Arrays.stream(struct.getDeclaredClasses())
                .filter(c -> c.getSimpleName().equals(field))
                .filter(c -> Classes.method(c, "layout").isPresent())
                .findFirst();
    }

    private static String member(String type, String path) {
        return "((" + type + " *)0)->" + path;
    }

    private static GroupLayout layout(Class<?> struct) {
        return (GroupLayout) Classes.invoke(Classes.method(struct, "layout").orElseThrow());
    }

    private static String cName(Class<?> struct, GroupLayout layout) {
        String name = struct.getSimpleName();
        if (TYPEDEFS.contains(name)) {
            return name;
        }
        return (layout instanceof UnionLayout ? "union " : "struct ") + name;
    }

    /** sizeof, where each mutex is longer by so much. */
    private static long grown(MemoryLayout layout, long growth) {
        return layout.byteSize() + growth * mutexes(layout);
    }

    private static long mutexes(MemoryLayout layout) {
        if (layout.withoutName().equals(MUTEX)) {
            return 1;
        }
        return switch (layout) {
            case GroupLayout g -> g.memberLayouts().stream().mapToLong(AbiTest::mutexes).sum();
            case SequenceLayout s -> s.elementCount() * mutexes(s.elementLayout());
            default -> 0;
        };
    }

    private static long mutexesBefore(GroupLayout layout, long offset) {
        if (layout instanceof UnionLayout) {
            return 0;
        }
        long count = 0;
        long at = 0;
        for (MemoryLayout member : layout.memberLayouts()) {
            if (at >= offset) {
                break;
            }
            count += mutexes(member);
            at += member.byteSize();
        }
        return count;
    }

    private static List<Fact> constantFacts() {
        List<Fact> facts = new ArrayList<>();
        for (Method method : verbs_h.class.getDeclaredMethods()) {
            String name = method.getName();
            boolean function = Classes.method(verbs_h.class, name + "$descriptor").isPresent();
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
        assertTrue(facts.size() > 700, () -> "only " + facts.size() + " constants");
        return facts;
    }
}
