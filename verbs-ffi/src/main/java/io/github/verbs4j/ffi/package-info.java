/**
 * libibverbs and librdmacm under their C names: pointers are {@link
 * java.lang.foreign.MemorySegment}s, return conventions are those of C, nothing is checked. This is
 * the raw layer; programs want the typed API, and come here through its {@code handle()} for a verb
 * that it lacks.
 *
 * <p>Classes in lower case are written by jextract: one for each struct, and {@link
 * io.github.verbs4j.ffi.verbs_h} for constants. Classes in upper case are written by hand and hold
 * every function, whether rdma-core exports it or defines it {@code static inline} in a header, in
 * groups: {@code DeviceVerbs}, {@code PortVerbs} and {@code NameVerbs}; {@code MemoryVerbs} and
 * {@code DeviceMemoryVerbs}; {@code CompletionVerbs}, {@code PollVerbs} and {@code
 * CompletionReads}; {@code QueuePairVerbs}, {@code PostVerbs}, {@code WorkRequestVerbs} and {@code
 * WorkRequestSetters}; {@code SharedReceiveVerbs}, {@code SteeringVerbs}, {@code CounterVerbs};
 * {@code RdmaCm}, {@code RdmaCmOptions} and {@code RdmaVerbs}; {@code RSocket} and {@code
 * RSocketIo}; {@code Mlx5Verbs} and {@code Mlx5WorkRequestSetters}.
 *
 * <p>What jextract generates for the mlx5 provider is in {@link io.github.verbs4j.ffi.mlx5}. Its
 * library is not opened before one of the functions of {@code Mlx5Verbs} is called.
 *
 * <p>Two parts of the generated classes must not be used. The functions of {@code verbs_h} look
 * their symbols up without loading a library. And the accessors of fields that follow a {@code
 * pthread_mutex_t} are right on x86-64 only; {@link io.github.verbs4j.ffi.Abi} has those fields.
 *
 * <p>errno of a control call is in {@link io.github.verbs4j.ffi.Errno#last()}. The data path
 * ({@code PollVerbs}, {@code CompletionReads}, {@code PostVerbs}, {@code WorkRequestVerbs}, {@code
 * WorkRequestSetters}, {@code Mlx5WorkRequestSetters}) does not capture it.
 */
package io.github.verbs4j.ffi;
