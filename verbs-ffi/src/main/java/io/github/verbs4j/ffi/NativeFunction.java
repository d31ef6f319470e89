package io.github.verbs4j.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * One exported C function. Its symbol is looked up and its call linked at the first use, so that
 * one that the installed rdma-core lacks is missed only by those who call it.
 */
final class NativeFunction {

    private final NativeLibrary library;
    private final String name;
    private final FunctionDescriptor descriptor;
    private volatile MethodHandle handle;

    private NativeFunction(NativeLibrary library, String name, FunctionDescriptor descriptor) {
        this.library = library;
        this.name = name;
        this.descriptor = descriptor;
    }

    static NativeFunction ibverbs(String name, MemoryLayout result, MemoryLayout... arguments) {
        return new NativeFunction(NativeLibrary.IBVERBS, name, descriptor(result, arguments));
    }

    static NativeFunction rdmacm(String name, MemoryLayout result, MemoryLayout... arguments) {
        return new NativeFunction(NativeLibrary.RDMACM, name, descriptor(result, arguments));
    }

    static NativeFunction mlx5(String name, MemoryLayout result, MemoryLayout... arguments) {
        return new NativeFunction(NativeLibrary.MLX5, name, descriptor(result, arguments));
    }

    /** A null result stands for void. */
    static FunctionDescriptor descriptor(MemoryLayout result, MemoryLayout... arguments) {
        return result == null
                ? FunctionDescriptor.ofVoid(arguments)
                : FunctionDescriptor.of(result, arguments);
    }

    String name() {
        return name;
    }

    FunctionDescriptor descriptor() {
        return descriptor;
    }

    /** Returns the call: errno memory ({@link Errno#state()}), then the arguments of C. */
    MethodHandle handle() {
        MethodHandle linked = handle;
        return linked != null ? linked : link();
    }

    // Two threads may both link; either handle serves.
    private MethodHandle link() {
        MethodHandle linked = Native.symbol(library.symbol(name), descriptor);
        handle = linked;
        return linked;
    }
}
