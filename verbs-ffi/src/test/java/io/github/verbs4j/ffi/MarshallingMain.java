package io.github.verbs4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Runs in a process whose libibverbs.so.1, librdmacm.so.1 and libmlx5.so.1 are the recording
 * library, and prints one line for each case.
 */
final class MarshallingMain {

    private static final long RESULT = 0x1122334455667788L;
    private static final int ERRNO = 71;
    private static final int EOPNOTSUPP = 95;

    private static final Arena ARENA = Arena.global();
    private static final Recorder RECORDER = new Recorder();
    private static final Set<String> EXPORTED =
            Classes.constants(NativeFunction.class).stream()
                    .map(NativeFunction::name)
                    .collect(Collectors.toSet());

    private static MemorySegment context;

    private MarshallingMain() {}

    /** Runs all cases. */
    public static void main(String[] args) {
        List<Method> functions =
                Classes.functions().stream()
                        .filter(m -> m.getDeclaringClass() != Abi.class)
                        .filter(m -> m.getDeclaringClass() != RdmaVerbs.class || isExported(m))
                        .filter(m -> !Cases.ARITHMETIC.contains(m.getName()))
                        .filter(m -> !m.getName().equals("rfcntl"))
                        .toList();
        for (Method function : functions) {
            run(function.getName(), () -> reaches(function));
        }
        ContextOpCases.run(functions);
        NullFunctionCases.run(functions);
        InlineLogicCases.run();
        RdmaVerbsCases.run();
        PerObjectCases.run();
        System.out.println("end");
    }

    /** A test of the marshalling; what it throws is what failed. */
    interface Case {
        void run() throws Exception;
    }

    static void run(String name, Case body) {
        try {
            context = object("verbs4j_context");
            body.run();
            System.out.println("ok " + name);
        } catch (Exception | AssertionError e) {
            System.out.println("FAIL " + name + ": " + e.toString().replace('\n', ' '));
        }
    }

    static void check(Object expected, Object actual, String what) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": expected " + expected + ", was " + actual);
        }
    }

    static Recorder recorder() {
        return RECORDER;
    }

    /** The ibv_context of the current case, whose provider has every function. */
    static MemorySegment context() {
        return context;
    }

    /** Calls a function of the recording library that makes an object. */
    static MemorySegment object(String maker) {
        try {
            return (MemorySegment)
                    Linker.nativeLinker()
                            .downcallHandle(
                                    NativeLibrary.IBVERBS.symbol(maker),
                                    FunctionDescriptor.of(verbs_h.C_POINTER))
                            .invokeExact();
        } catch (Throwable t) {
            throw new IllegalStateException(t);
        }
    }

    private static void reaches(Method function) {
        String name = function.getName();
        boolean inline = !isExported(function);
        Object[] arguments = arguments(function);
        RECORDER.expect(ERRNO, result(function));
        Errno.set(0);
        Object returned = Classes.invoke(function, arguments);

        check(Cases.nativeName(name, !inline), RECORDER.name(), "called");
        check(1L, RECORDER.calls(), "number of calls");
        List<Long> expected = expectedArguments(function, arguments);
        check((long) expected.size(), RECORDER.count(), "number of arguments");
        for (int i = 0; i < expected.size(); i++) {
            long mask = i < arguments.length ? mask(function.getParameterTypes()[i]) : -1;
            check(expected.get(i) & mask, RECORDER.argument(i) & mask, "argument " + i);
        }
        if (function.getReturnType() != void.class) {
            long mask = mask(function.getReturnType());
            check(result(function) & mask, number(returned) & mask, "result");
        }
        boolean captures = !Cases.DATA_PATH.contains(function.getDeclaringClass());
        check(captures ? ERRNO : 0, Errno.last(), "errno");
    }

    private static long result(Method function) {
        if (function.getReturnType() == boolean.class) {
            return 1;
        }
        // C reads the object that ibv_create_wq returns.
        return function.getName().equals("ibv_create_wq") ? object("verbs4j_wq").address() : RESULT;
    }

    private static List<Long> expectedArguments(Method function, Object[] arguments) {
        List<Long> expected =
                Arrays.stream(arguments)
                        .map(MarshallingMain::number)
                        .collect(Collectors.toCollection(ArrayList::new));
        Long size = Cases.ADDED_SIZE.get(function.getName());
        if (size != null) {
            expected.add(size);
        }
        return expected;
    }

    /** Arguments that differ from each other, and that an inline function can work on. */
    static Object[] arguments(Method function) {
        Class<?>[] types = function.getParameterTypes();
        Object[] arguments = new Object[types.length];
        int holder = holder(function);
        for (int i = 0; i < types.length; i++) {
            if (types[i] == MemorySegment.class) {
                arguments[i] = i == holder ? holderOf(function) : ARENA.allocate(2048, 8);
            } else if (types[i] == int.class) {
                arguments[i] = 0x8000_0041 + i;
            } else if (types[i] == long.class) {
                arguments[i] = 0x8899_aabb_ccdd_ee01L + i;
            } else if (types[i] == short.class) {
                arguments[i] = (short) (0x8a01 + i);
            } else {
                arguments[i] = (byte) (0x91 + i);
            }
        }
        return arguments;
    }

    /** Which argument holds the function pointer, or leads to it. */
    private static int holder(Method function) {
        return switch (function.getName()) {
            case "ibv_memcpy_from_dm", "ibv_bind_mw" -> 1;
            default -> 0;
        };
    }

    private static MemorySegment holderOf(Method function) {
        if (isExported(function) && !Cases.TAKES_CONTEXT.contains(function.getName())) {
            return ARENA.allocate(2048, 8);
        }
        return switch (function.getName()) {
            case String n when Cases.TAKES_CONTEXT.contains(n) -> context;
            case String n when n.startsWith("ibv_wr_") -> object("verbs4j_qp");
            case String n when n.startsWith("mlx5dv_wr_") -> object("verbs4j_mlx5_qp");
            case String n when n.startsWith("ibv_wc_read_") -> object("verbs4j_cq");
            case "ibv_start_poll", "ibv_next_poll", "ibv_end_poll" -> object("verbs4j_cq");
            case "ibv_post_wq_recv" -> object("verbs4j_wq");
            case "ibv_memcpy_to_dm", "ibv_memcpy_from_dm" -> object("verbs4j_dm");
            case String _ -> anyObject();
        };
    }

    /** Memory that serves as every object which begins with its context, and as an ibv_flow. */
    static MemorySegment anyObject() {
        MemorySegment object = ARENA.allocate(2048, 8);
        object.set(ValueLayout.ADDRESS, 0, context);
        object.set(ValueLayout.ADDRESS, ibv_flow.context$offset(), context);
        object.set(ValueLayout.JAVA_INT, ibv_mw.type$offset(), verbs_h.IBV_MW_TYPE_1());
        return object;
    }

    static boolean isExported(Method function) {
        return EXPORTED.contains(function.getName())
                && !function.getName().equals("ibv_query_port");
    }

    /** Invokes and returns what was thrown, or null. */
    static Throwable thrownBy(Method function, Object... arguments) {
        try {
            function.invoke(null, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Checks that a function reports, in the way of its type, that the provider lacks it. */
    static void isUnsupported(Method function, Object... arguments) {
        RECORDER.expect(ERRNO, RESULT);
        Errno.set(0);
        Object returned = Classes.invoke(function, arguments);
        check("", RECORDER.trace(), "called");
        if (returned instanceof MemorySegment pointer) {
            check(0L, pointer.address(), "result");
            check(EOPNOTSUPP, Errno.last(), "errno");
        } else {
            int sign = function.getName().equals("ibv_poll_cq") ? -1 : 1;
            check(sign * EOPNOTSUPP, returned, "result");
        }
    }

    static long number(Object value) {
        if (value instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        return value instanceof MemorySegment s ? s.address() : ((Number) value).longValue();
    }

    static long mask(Class<?> type) {
        if (type == int.class) {
            return 0xffff_ffffL;
        }
        if (type == short.class) {
            return 0xffff;
        }
        return type == byte.class ? 0xff : -1;
    }

    /** Names that were expected but did not occur, for the completeness checks of the cases. */
    static void checkAll(Set<String> expected, Set<String> seen) {
        Set<String> missing = new TreeSet<>(expected);
        missing.removeAll(seen);
        check(Set.of(), missing, "not covered");
    }
}
