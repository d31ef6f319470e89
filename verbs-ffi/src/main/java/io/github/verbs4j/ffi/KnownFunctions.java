package io.github.verbs4j.ffi;

import static java.lang.invoke.MethodType.methodType;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.util.HashSet;
import java.util.Set;

/**
 * Has segments, which the linker wants, of the addresses of functions, all of which are known
 * before they are called: then no call makes an object, in whatever way it is carried out. The
 * segments are constants of the call's code. One function, as in a process that uses one provider,
 * is not even looked at; of more, each but the first is compared.
 */
final class KnownFunctions extends MutableCallSite {

    private static final MethodType TYPE = methodType(MemorySegment.class, long.class);

    private static final MethodHandle ONLY =
            find("only", methodType(MemorySegment.class, MemorySegment.class, long.class));

    // Taken with this class: a second function may come when there is little stack.
    private static final MethodHandle CHOOSE = FunctionSegments.CHOOSE;

    private final Set<Long> known = new HashSet<>();

    KnownFunctions() {
        super(TYPE); // until there is one, a call throws IllegalStateException
    }

    /**
     * Makes a function known to all threads. Threads that learn of it from whoever called this may
     * call it.
     */
    synchronized void add(long function) {
        if (!known.contains(function)) {
            MemorySegment segment = MemorySegment.ofAddress(function);
            setTarget(
                    known.isEmpty()
                            ? MethodHandles.insertArguments(ONLY, 0, segment)
                            : MethodHandles.insertArguments(CHOOSE, 0, segment, getTarget()));
            syncAll(new MutableCallSite[] {this});
            known.add(function); // last: whoever runs out of stack before may try again
        }
    }

    private static MemorySegment only(MemorySegment known, long function) {
        return known;
    }

    private static MethodHandle find(String name, MethodType type) {
        try {
            return MethodHandles.lookup().findStatic(KnownFunctions.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
