package io.github.verbs4j.cm;

import io.github.verbs4j.types.AhAttr;

/**
 * How to reach a datagram peer or multicast group: C's {@code struct rdma_ud_param} without its
 * private data, which is in the event.
 *
 * @param ahAttr the path, for an address handle
 * @param qpNum the peer's queue pair; 0xffffff for a group
 * @param qkey the queue key that it takes
 */
public record UdParam(AhAttr ahAttr, int qpNum, int qkey) {

    /** Copies the path. */
    public UdParam {
        ahAttr = ahAttr.copy();
    }

    /** {@return a copy of the path} */
    @Override
    public AhAttr ahAttr() {
        return ahAttr.copy();
    }
}
