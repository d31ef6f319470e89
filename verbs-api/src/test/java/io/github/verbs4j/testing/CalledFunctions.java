package io.github.verbs4j.testing;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Native functions that note what they are called with, to be put into the structures of a provider
 * that has what no soft device has.
 */
public final class CalledFunctions {

    private static final MethodHandle CALL;

    static {
        try {
            CALL =
                    MethodHandles.lookup()
                            .findVirtual(
                                    Stub.class,
                                    "call",
                                    MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final Arena arena;
    private final List<String> calls = new ArrayList<>();

    /** Functions that live as long as the arena. */
    public CalledFunctions(Arena arena) {
        this.arena = arena;
    }

    private record Stub(Function<Object[], Object> body) {
        Object call(Object[] arguments) {
            return body.apply(arguments);
        }
    }

    /** {@return the calls so far, and forgets them} */
    public List<String> take() {
        List<String> result = List.copyOf(calls);
        calls.clear();
        return result;
    }

    /** Notes a line between the calls. */
    public void note(String line) {
        calls.add(line);
    }

    /**
     * Makes a native function.
     *
     * @param result what it returns, null for nothing
     * @param body runs in its place
     * @param parameters its parameters
     */
    @SuppressWarnings("restricted")
    public MemorySegment function(
            MemoryLayout result, Function<Object[], Object> body, MemoryLayout... parameters) {
        FunctionDescriptor descriptor =
                result == null
                        ? FunctionDescriptor.ofVoid(parameters)
                        : FunctionDescriptor.of(result, parameters);
        MethodHandle target =
                CALL.bindTo(new Stub(body))
                        .asCollector(Object[].class, parameters.length)
                        .asType(descriptor.toMethodType());
        return Linker.nativeLinker().upcallStub(target, descriptor, arena);
    }

    /** Makes a function without a result that notes its name and arguments after the first. */
    public MemorySegment noting(String name, MemoryLayout... parameters) {
        return function(
                null,
                arguments -> {
                    note(line(name, arguments));
                    return null;
                },
                parameters);
    }

    /** {@return a name and the arguments after the first, numbers in hexadecimal} */
    public static String line(String name, Object... arguments) {
        StringBuilder line = new StringBuilder(name);
        for (int i = 1; i < arguments.length; i++) {
            line.append(' ');
            line.append(
                    switch (arguments[i]) {
                        case Integer n -> Integer.toHexString(n);
                        case Long n -> Long.toHexString(n);
                        case Short n -> Integer.toHexString(n & 0xffff);
                        case Byte n -> Integer.toHexString(n & 0xff);
                        case MemorySegment s -> "@" + Long.toHexString(s.address());
                        default -> String.valueOf(arguments[i]);
                    });
        }
        return line.toString();
    }

    /** A pointer through which a function may read so many bytes. */
    @SuppressWarnings("restricted")
    public static AddressLayout pointerTo(long bytes) {
        return ValueLayout.ADDRESS.withTargetLayout(
                MemoryLayout.sequenceLayout(bytes, ValueLayout.JAVA_BYTE));
    }
}
