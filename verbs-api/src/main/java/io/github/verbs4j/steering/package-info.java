/**
 * Where packets land: work queues and their distribution by a hash (RSS), flows that match packets
 * and act on them, counters. For raw Ethernet and for datagrams.
 *
 * <p>An object is made by the static {@code create} of its class, from objects of the main package,
 * which close it when they close. What a device lacks is an {@link
 * io.github.verbs4j.types.UnsupportedVerbException}; the soft providers have none of this.
 */
package io.github.verbs4j.steering;
