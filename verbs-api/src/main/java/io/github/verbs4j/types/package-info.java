/**
 * Values that cross the verbs API: enums, flags, addresses, attributes and exceptions.
 *
 * <p>Nothing here touches native memory or owns anything. Records and enums are immutable and may
 * be shared between threads; the fluent attributes ({@link io.github.verbs4j.types.QpAttr}, {@link
 * io.github.verbs4j.types.AhAttr}) are mutable, belong to one thread, and are copied by the call
 * that takes them. Constants lose their C prefix ({@code IBV_QPT_RC} is {@code QpType.RC}) and each
 * C enum appears once.
 */
package io.github.verbs4j.types;
