package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.MarshallingMain.check;
import static io.github.verbs4j.ffi.MarshallingMain.recorder;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/** The functions that {@link WorkRequestCalls} and {@link CompletionCalls} read from an object. */
final class PerObjectCases {

    private static final long RESULT = 0x1122334455667788L;

    private PerObjectCases() {}

    static void run() {
        MemorySegment qp = MarshallingMain.object("verbs4j_qp");
        MemorySegment cq = MarshallingMain.object("verbs4j_cq");
        MemorySegment empty = Arena.global().allocate(2048, 8);
        each(new WorkRequestCalls(qp), qp, new WorkRequestCalls(empty));
        each(new CompletionCalls(cq), cq, new CompletionCalls(empty));
        MarshallingMain.run("fields by address", () -> fields(qp, cq));
    }

    private static void each(Object calls, MemorySegment object, Object without) {
        List<Method> functions =
                Arrays.stream(calls.getClass().getDeclaredMethods())
                        .filter(m -> Modifier.isPublic(m.getModifiers()))
                        .filter(m -> m.getName().startsWith("ibv_"))
                        .toList();
        check(true, functions.size() > 10, "enough functions");
        for (Method function : functions) {
            String name = function.getName() + " of " + calls.getClass().getSimpleName();
            MarshallingMain.run(name, () -> reaches(function, calls, object.address()));
            MarshallingMain.run(
                    name + " with a function pointer that is NULL",
                    () -> refuses(function, without));
        }
    }

    private static void reaches(Method function, Object calls, long object)
            throws ReflectiveOperationException {
        Object[] arguments = MarshallingMain.arguments(function);
        recorder().expect(0, RESULT);
        Object returned = function.invoke(calls, arguments);
        check(Cases.nativeName(function.getName(), false), recorder().name(), "called");
        check(1L, recorder().calls(), "number of calls");
        check(arguments.length + 1L, recorder().count(), "number of arguments");
        check(object, recorder().argument(0), "object");
        for (int i = 0; i < arguments.length; i++) {
            long mask = MarshallingMain.mask(function.getParameterTypes()[i]);
            check(
                    MarshallingMain.number(arguments[i]) & mask,
                    recorder().argument(i + 1) & mask,
                    "argument " + i);
        }
        if (returned != null) {
            long mask = MarshallingMain.mask(function.getReturnType());
            check(RESULT & mask, MarshallingMain.number(returned) & mask, "result");
        }
    }

    private static void refuses(Method function, Object without) throws IllegalAccessException {
        recorder().expect(0, RESULT);
        try {
            function.invoke(without, MarshallingMain.arguments(function));
            throw new AssertionError("no exception");
        } catch (InvocationTargetException e) {
            String message = e.getCause().toString();
            boolean named = message.contains("Unsupported") && message.contains(function.getName());
            check(true, named, message);
        }
        check("", recorder().trace(), "called");
    }

    private static void fields(MemorySegment qp, MemorySegment cq) {
        MemorySegment qpEx = qp.reinterpret(1024).asSlice(Abi.MUTEX_GROWTH);
        new WorkRequestCalls(qp).wr_id_and_flags(RESULT, 0x55);
        check(RESULT, ibv_qp_ex.wr_id(qpEx), "wr_id");
        check(0x55, ibv_qp_ex.wr_flags(qpEx), "wr_flags");
        MemorySegment cqEx = cq.reinterpret(1024).asSlice(Abi.MUTEX_GROWTH);
        ibv_cq_ex.wr_id(cqEx, RESULT);
        ibv_cq_ex.status(cqEx, 7);
        check(RESULT, new CompletionCalls(cq).wr_id(), "wr_id");
        check(7, new CompletionCalls(cq).status(), "status");
    }
}
