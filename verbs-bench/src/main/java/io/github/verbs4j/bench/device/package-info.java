/** Latency and throughput over a device, between two queue pairs of one process or two machines. */
package io.github.verbs4j.bench.device;
