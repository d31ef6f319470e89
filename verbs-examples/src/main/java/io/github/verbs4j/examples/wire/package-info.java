/** What the C tools say to each other outside RDMA. */
package io.github.verbs4j.examples.wire;
