package io.github.verbs4j.ffi;

import static io.github.verbs4j.ffi.MarshallingMain.arguments;
import static io.github.verbs4j.ffi.MarshallingMain.check;
import static io.github.verbs4j.ffi.MarshallingMain.context;
import static io.github.verbs4j.ffi.MarshallingMain.isUnsupported;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;

/** Objects whose function pointers are NULL, where C would jump to address 0. */
final class NullFunctionCases {

    /** Control calls through ibv_context.ops and ibv_dm. */
    private static final Set<String> CONTROL =
            Set.of(
                    "ibv_alloc_mw",
                    "ibv_dealloc_mw",
                    "ibv_bind_mw",
                    "ibv_memcpy_to_dm",
                    "ibv_memcpy_from_dm");

    private NullFunctionCases() {}

    static void run(List<Method> functions) {
        for (Method function : functions) {
            if (CONTROL.contains(function.getName())
                    || Cases.DATA_PATH.contains(function.getDeclaringClass())) {
                MarshallingMain.run(
                        function.getName() + " with a function pointer that is NULL",
                        () -> withoutFunctions(function));
            }
        }
    }

    private static void withoutFunctions(Method function) {
        ibv_context.ops(context()).fill((byte) 0);
        Object[] arguments = arguments(function);
        for (int i = 0; i < arguments.length; i++) {
            // An object of zeros, but for its context: no function pointers of its own.
            if (arguments[i] instanceof MemorySegment) {
                arguments[i] = Arena.global().allocate(2048, 8);
                ibv_pd.context((MemorySegment) arguments[i], context());
            }
        }
        if (function.getName().equals("ibv_bind_mw")) {
            ibv_mw.type((MemorySegment) arguments[1], verbs_h.IBV_MW_TYPE_1());
            ((MemorySegment) arguments[2]).fill((byte) 0);
        }
        boolean canTell =
                function.getReturnType() != void.class
                        && function.getDeclaringClass() != CompletionReads.class;
        if (canTell) {
            isUnsupported(function, arguments);
        } else {
            Throwable thrown = MarshallingMain.thrownBy(function, arguments);
            check(true, thrown instanceof UnsupportedOperationException, "throws " + thrown);
        }
    }
}
