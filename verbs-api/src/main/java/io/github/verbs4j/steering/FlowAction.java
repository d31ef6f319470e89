package io.github.verbs4j.steering;

import io.github.verbs4j.Context;
import io.github.verbs4j.ffi.SteeringVerbs;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.LeakDetector;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Encryption or decryption (ESP of IPsec) of the packets of flows: C's {@code struct
 * ibv_flow_action}. Flows use it by {@link FlowSpec.ActionHandle}. Safe for any thread.
 */
public final class FlowAction implements AutoCloseable {

    private final Context context;
    private final NativeHandle handle;

    private FlowAction(Context context, FlowActionEspAttr attr) {
        NativeHandle parent = Friend.handleOf(context, "context");
        this.context = context;
        Objects.requireNonNull(attr, "attr");
        this.handle =
                NativeHandle.create(
                        "FlowAction",
                        () -> create(parent, attr),
                        pointer ->
                                Check.zero(
                                        "ibv_destroy_flow_action",
                                        SteeringVerbs.ibv_destroy_flow_action(pointer)),
                        parent);
        LeakDetector.watch(this, handle);
    }

    private static MemorySegment create(NativeHandle context, FlowActionEspAttr attr) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment esp = attr.encode(arena);
            return Check.notNull(
                    "ibv_create_flow_action_esp",
                    context.within(
                            pointer -> SteeringVerbs.ibv_create_flow_action_esp(pointer, esp)));
        }
    }

    /**
     * Creates an ESP action.
     *
     * @param context the device
     * @param attr its key and parameters
     * @return the action; close it
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: a parameter that the device lacks
     * @verbs.calls ibv_create_flow_action_esp
     */
    public static FlowAction createEsp(Context context, FlowActionEspAttr attr) {
        return new FlowAction(context, attr);
    }

    /**
     * Changes the parameters that are set, for all flows that use the action.
     *
     * @param attr what to change
     * @throws io.github.verbs4j.types.UnsupportedVerbException the device cannot
     * @throws VerbsException EINVAL: a parameter that cannot be changed
     * @verbs.calls ibv_modify_flow_action_esp
     */
    public void modifyEsp(FlowActionEspAttr attr) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment esp = attr.encode(arena);
            Check.zero(
                    "ibv_modify_flow_action_esp",
                    handle.call(action -> SteeringVerbs.ibv_modify_flow_action_esp(action, esp)));
        }
    }

    /**
     * The context it belongs to.
     *
     * @return the context
     */
    public Context context() {
        return context;
    }

    /**
     * Tells whether the action has been closed.
     *
     * @return false once closed
     */
    public boolean isOpen() {
        return handle.isOpen();
    }

    /**
     * The native {@code struct ibv_flow_action *}, for verbs that this library does not type.
     *
     * @return the pointer
     */
    public MemorySegment handle() {
        return handle.pointer();
    }

    /**
     * Closes the flows that use the action, newest first, and the action.
     *
     * @throws VerbsException when the device refuses
     * @verbs.calls ibv_destroy_flow_action
     */
    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    NativeHandle nativeHandle() {
        return handle;
    }
}
