package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.MarshallingMain.arguments;
import static io.github.verbs4j.ffi.MarshallingMain.check;
import static io.github.verbs4j.ffi.MarshallingMain.context;
import static io.github.verbs4j.ffi.MarshallingMain.isUnsupported;
import static io.github.verbs4j.ffi.MarshallingMain.recorder;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Contexts that lack an op in each of the three ways, and ones that just have it. */
final class ContextOpCases {

    /** Those have something to fall back on: see InlineLogicCases. */
    private static final Set<String> FALL_BACK = Set.of("query_port", "query_device_ex");

    private ContextOpCases() {}

    static void run(List<Method> functions) {
        Map<String, Long> sizes = sizes();
        Set<String> seen = new HashSet<>();
        for (Method function : functions) {
            String op = Cases.nativeName(function.getName(), false);
            Long size = sizes.get(op);
            if (size == null
                    || MarshallingMain.isExported(function)
                    || Cases.DATA_PATH.contains(function.getDeclaringClass())) {
                continue;
            }
            seen.add(op);
            if (!FALL_BACK.contains(op)) {
                cases(function, op, size);
            }
        }
        MarshallingMain.run(
                "every op of verbs_context has a function",
                () -> MarshallingMain.checkAll(sizes.keySet(), seen));
    }

    private static void cases(Method function, String op, long size) {
        String name = function.getName();
        MarshallingMain.run(
                name + " with a verbs_context that just has the op",
                () -> {
                    setSize(size);
                    recorder().expect(0, 0);
                    Classes.invoke(function, arguments(function));
                    check(op, recorder().trace(), "called");
                });
        MarshallingMain.run(
                name + " with a verbs_context that ends before the op",
                () -> {
                    setSize(size - 1);
                    isUnsupported(function, arguments(function));
                });
        MarshallingMain.run(
                name + " with a context that is not extended",
                () -> {
                    notExtended();
                    isUnsupported(function, arguments(function));
                });
        MarshallingMain.run(
                name + " with an op that is NULL",
                () -> {
                    clear(size);
                    isUnsupported(function, arguments(function));
                });
    }

    /** Sets verbs_context.sz. */
    static void setSize(long size) {
        Native.MEMORY.set(ValueLayout.JAVA_LONG, context().address() - Abi.SZ_DISTANCE, size);
    }

    /** Makes the context one of an old provider, without verbs_context in front of it. */
    static void notExtended() {
        long compat = ibv_context.abi_compat$offset() + Abi.MUTEX_GROWTH;
        context().set(ValueLayout.JAVA_LONG, compat, 0);
    }

    /** Clears the op that a verbs_context of at least this size has. */
    static void clear(long size) {
        long address = context().address() + Abi.SIZEOF_CONTEXT - size;
        Native.MEMORY.set(ValueLayout.JAVA_LONG, address, 0);
    }

    /** For each op the smallest verbs_context.sz that has it, as the C compiler says. */
    static Map<String, Long> sizes() {
        MemorySegment table = NativeLibrary.IBVERBS.symbol("verbs4j_ops").reinterpret(64 * 64);
        Map<String, Long> sizes = new TreeMap<>();
        for (long at = 0; !table.getString(at).isEmpty(); at += 64) {
            sizes.put(table.getString(at), table.get(ValueLayout.JAVA_LONG, at + 56));
        }
        return sizes;
    }
}
