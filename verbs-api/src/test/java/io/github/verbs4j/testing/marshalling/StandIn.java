package io.github.verbs4j.testing.marshalling;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a test tells the C side, and what the C side saw. */
@SuppressWarnings("restricted")
public final class StandIn {

    private static final class Holder {
        static final StandIn INSTANCE = new StandIn(StandInLibrary.build());
    }

    private final MethodHandle reset;
    private final MethodHandle lineCount;
    private final MethodHandle line;
    private final MethodHandle answer;
    private final MethodHandle name;
    private final MethodHandle live;
    private final MethodHandle raise;

    private StandIn(List<Path> libraries) {
        // From now on these are libibverbs.so.1 and libmlx5.so.1: the loader knows them by soname.
        List<SymbolLookup> loaded =
                libraries.stream()
                        .map(library -> SymbolLookup.libraryLookup(library, Arena.global()))
                        .toList();
        SymbolLookup symbols = loaded.getFirst();
        reset = link(symbols, "standin_reset", null);
        lineCount = link(symbols, "standin_line_count", JAVA_INT);
        line = link(symbols, "standin_line", ADDRESS, JAVA_INT);
        answer = link(symbols, "standin_answer", null, ADDRESS, JAVA_LONG);
        name = link(symbols, "standin_name", ADDRESS, ADDRESS);
        live = link(symbols, "standin_live", JAVA_INT);
        raise = link(symbols, "standin_raise", null, JAVA_INT, JAVA_LONG);
    }

    private static MethodHandle link(
            SymbolLookup symbols, String name, MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor descriptor =
                result == null
                        ? FunctionDescriptor.ofVoid(arguments)
                        : FunctionDescriptor.of(result, arguments);
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor);
    }

    /** {@return the stand-in, built and loaded at first; the test is skipped where it cannot be} */
    static StandIn get() {
        return Holder.INSTANCE;
    }

    /** Opens the only device there is. */
    public Context open() {
        return Device.named("standin0").open();
    }

    /** Sets what C finds under a name. */
    public void answer(String what, long value) {
        try (Arena arena = Arena.ofConfined()) {
            answer.invoke(arena.allocateFrom(what), value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Makes a function fail, until it is told otherwise by errno 0. */
    public void fail(String function, int errno) {
        answer("fail " + function, errno);
    }

    /** Queues an asynchronous event of the context opened last, about a port or an object. */
    public void raise(int eventType, long portOrAddress) {
        try {
            raise.invoke(eventType, portOrAddress);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** {@return what C calls an object, as {@code pd#1}} */
    public String name(MemorySegment object) {
        try {
            return string((MemorySegment) name.invoke(object));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** {@return all that C saw since the test began} */
    public List<String> calls() {
        try {
            List<String> calls = new ArrayList<>();
            int count = (int) lineCount.invoke();
            for (int i = 0; i < count; i++) {
                calls.add(string((MemorySegment) line.invoke(i)));
            }
            return calls;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** {@return what C saw of one function since the test began} */
    public List<String> calls(String function) {
        return calls().stream().filter(call -> call.startsWith(function + "(")).toList();
    }

    /** {@return what C saw of a function that was called once since the test began} */
    public String call(String function) {
        List<String> calls = calls(function);
        assertEquals(1, calls.size(), () -> function + " once in " + calls());
        return calls.getFirst();
    }

    void reset() {
        try {
            reset.invoke();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    int live() {
        try {
            return (int) live.invoke();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static String string(MemorySegment pointer) {
        return pointer.reinterpret(Integer.MAX_VALUE).getString(0);
    }
}
