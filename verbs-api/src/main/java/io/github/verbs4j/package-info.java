/**
 * RDMA verbs for Java: every class owns one object of libibverbs, or an array of its structures.
 *
 * <p>Start at {@link io.github.verbs4j.Device}. Methods carry the names of their C functions,
 * values those of their C fields. Every object is closed once, by {@code close()} or with its
 * parent; using it afterwards is an exception.
 */
package io.github.verbs4j;
