package io.github.verbs4j.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** One function pointer of {@code struct verbs_context}, found as {@code verbs_get_ctx_op} does. */
final class ContextOp {

    private final String name;
    private final long distance;
    private final FunctionDescriptor descriptor;
    private volatile MethodHandle handle;

    /**
     * Describes one pointer.
     *
     * @param offset of the pointer in the verbs_context of the bound headers. That struct grows at
     *     its front, so what stays the same across versions is the distance to its end.
     */
    ContextOp(String name, long offset, MemoryLayout result, MemoryLayout... arguments) {
        this.name = name;
        this.distance = verbs_context.context$offset() - offset;
        this.descriptor = NativeFunction.descriptor(result, arguments);
    }

    String name() {
        return name;
    }

    FunctionDescriptor descriptor() {
        return descriptor;
    }

    /** Returns the function to call for this context, or NULL where the provider has none. */
    MemorySegment in(MemorySegment context) {
        if (!Abi.isExtended(context)) {
            return MemorySegment.NULL;
        }
        long end = context.address();
        long size = Native.MEMORY.get(verbs_h.C_LONG, end - Abi.SZ_DISTANCE);
        if (Long.compareUnsigned(size, distance + Abi.SIZEOF_CONTEXT) < 0) {
            return MemorySegment.NULL;
        }
        return Native.MEMORY.get(verbs_h.C_POINTER, end - distance);
    }

    /** Returns the call: address, errno memory, then the arguments of C. */
    MethodHandle handle() {
        MethodHandle linked = handle;
        if (linked == null) {
            linked = Native.pointer(descriptor);
            handle = linked;
        }
        return linked;
    }
}
