package io.github.verbs4j.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Native functions that note what they are called with, to be put into the structures of a provider
 * that has what no soft device has. One object at a time.
 */
public final class CalledFunctions {

    private static final int FUNCTIONS = 32;
    private static final int CALLS = 64;
    private static final int ARGUMENTS = 6;
    private static final long CALL = 8 * (1 + ARGUMENTS);

    private static final int QUEUED = 16;
    private static final long RESULTS = 8 * (3 + QUEUED);
    private static final long OTHERWISE = RESULTS - 8;

    private static final long FUNCTION = 5 * 8;
    private static final long FUNCTION_RESULTS = 8;
    private static final long FUNCTION_BUMPED = 16;
    private static final long FUNCTION_FILLING = 24;
    private static final long FUNCTION_FILLING_SIZE = 32;

    /** The library, built when the first test needs it. */
    private static final class Library {

        static final SymbolLookup SYMBOLS = load();

        @SuppressWarnings("restricted")
        private static SymbolLookup load() {
            try {
                Path folder = Files.createTempDirectory("verbs4j-functions");
                Path library = folder.resolve("libfunctions.so");
                Path source = Path.of(CalledFunctions.class.getResource("functions.c").getPath());
                CLibrary.build(library, List.of(source));
                return SymbolLookup.libraryLookup(library, Arena.global());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @SuppressWarnings("restricted")
        static MemorySegment symbol(String name, long size) {
            return SYMBOLS.findOrThrow(name).reinterpret(size);
        }
    }

    /** How the calls of a function are noted. */
    private record Noted(
            String name, int memory, ToLongFunction<long[]> length, MemoryLayout... parameters) {}

    private final Arena arena;
    private final MemorySegment addresses = Library.symbol("addresses", FUNCTIONS * 8);
    private final MemorySegment functions = Library.symbol("functions", FUNCTIONS * FUNCTION);
    private final MemorySegment calls = Library.symbol("calls", CALLS * CALL);
    private final MemorySegment callCount = Library.symbol("call_count", 8);
    private final MemorySegment results;
    private final List<Noted> made = new ArrayList<>();

    /** Functions whose configuration lives as long as the arena. */
    public CalledFunctions(Arena arena) {
        this.arena = arena;
        this.results = arena.allocate(RESULTS, 8);
        functions.fill((byte) 0);
        callCount.fill((byte) 0);
    }

    /**
     * Makes a function that is noted by its name and its arguments after the first, in hexadecimal.
     */
    public MemorySegment noting(String name, MemoryLayout... parameters) {
        return make(new Noted(name, 0, null, parameters));
    }

    /**
     * Makes a function that is noted with the memory that an argument points to.
     *
     * @param memory the index of that argument
     * @param length tells how long the memory is, from the arguments
     */
    public MemorySegment notingMemory(
            String name, int memory, ToLongFunction<long[]> length, MemoryLayout... parameters) {
        return make(new Noted(name, memory, length, parameters));
    }

    private MemorySegment make(Noted noted) {
        made.add(noted);
        return addresses.getAtIndex(ADDRESS, made.size() - 1);
    }

    private MemorySegment last() {
        return functions.asSlice((made.size() - 1) * FUNCTION, FUNCTION);
    }

    /** The function made last returns this value. */
    public void returns(long value) {
        last().set(JAVA_LONG, 0, value);
    }

    /**
     * The function made last returns the values of {@link #queue}, and {@code otherwise} when there
     * are none left. It adds one to a number each time.
     */
    public void returnsQueued(long otherwise, MemorySegment bumped) {
        results.set(JAVA_LONG, OTHERWISE, otherwise);
        last().set(ADDRESS, FUNCTION_RESULTS, results);
        last().set(ADDRESS, FUNCTION_BUMPED, bumped);
    }

    /** The function made last copies memory to where its second argument points. */
    public void fills(MemorySegment filling) {
        MemorySegment copy = arena.allocate(filling.byteSize(), 8).copyFrom(filling);
        last().set(ADDRESS, FUNCTION_FILLING, copy);
        last().set(JAVA_LONG, FUNCTION_FILLING_SIZE, copy.byteSize());
    }

    /** Sets the values that functions are to return, in their order. */
    public void queue(long... values) {
        results.set(JAVA_LONG, 0, 0);
        results.set(JAVA_LONG, 8, values.length);
        for (int i = 0; i < values.length; i++) {
            results.set(JAVA_LONG, 16 + i * 8L, values[i]);
        }
    }

    /** {@return the calls so far, and forgets them} */
    public List<String> take() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < callCount.get(JAVA_LONG, 0); i++) {
            MemorySegment call = calls.asSlice(i * CALL, CALL);
            lines.add(line(made.get((int) call.get(JAVA_LONG, 0)), call.asSlice(8)));
        }
        callCount.set(JAVA_LONG, 0, 0);
        return lines;
    }

    private static String line(Noted noted, MemorySegment call) {
        MemoryLayout[] parameters = noted.parameters();
        long[] arguments = new long[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            long mask = -1L >>> 64 - 8 * parameters[i].byteSize();
            arguments[i] = call.getAtIndex(JAVA_LONG, i) & mask;
        }
        StringBuilder line = new StringBuilder(noted.name());
        for (int i = 1; i < arguments.length; i++) {
            boolean memory = noted.length() != null && i == noted.memory();
            line.append(' ')
                    .append(
                            memory
                                    ? bytes(arguments[i], noted.length().applyAsLong(arguments))
                                    : Long.toHexString(arguments[i]));
        }
        return line.toString();
    }

    @SuppressWarnings("restricted")
    private static String bytes(long address, long length) {
        MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(length);
        return HexFormat.of().formatHex(memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }
}
