/** The programs of the well-known RDMA tutorial, layout-compatible, without their faults. */
package io.github.verbs4j.examples.tutorial;
