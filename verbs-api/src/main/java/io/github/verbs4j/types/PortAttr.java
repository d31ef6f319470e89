package io.github.verbs4j.types;

import java.util.Set;

/**
 * State and limits of a port ({@code struct ibv_port_attr}). Numbers that C holds unsigned in 32
 * bits and that may exceed an int are longs or, where they are bit fields, ints to be read as bits.
 *
 * @param state logical state
 * @param maxMtu largest MTU the port supports
 * @param activeMtu largest MTU the port can use now
 * @param gidTblLen entries of the GID table
 * @param portCapFlags bits of {@code enum ibv_port_cap_flags}
 * @param maxMsgSz longest message in bytes
 * @param badPkeyCntr packets dropped for a bad P_Key
 * @param qkeyViolCntr packets dropped for a bad Q_Key
 * @param pkeyTblLen entries of the P_Key table
 * @param lid local identifier; 0 on Ethernet
 * @param smLid LID of the subnet manager; 0 on Ethernet
 * @param lmc LID mask control: the port answers to 2<sup>lmc</sup> LIDs
 * @param maxVlNum supported virtual lanes, encoded: 1, 2, 3, 4, 5 for VL0, VL0-1, VL0-3, VL0-7,
 *     VL0-14
 * @param smSl service level of the subnet manager
 * @param subnetTimeout longest propagation delay in the subnet, 4.096 µs · 2<sup>n</sup>
 * @param initTypeReply initialisation done by the subnet manager
 * @param activeWidth lanes in use, encoded: 1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x, 2x
 * @param activeSpeed speed of a lane, encoded: 1 SDR 2.5, 2 DDR 5, 4 QDR 10, 8 FDR10, 16 FDR 14, 32
 *     EDR 25, 64 HDR 50, 128 NDR 100 Gb/s
 * @param physState physical state, encoded: 1 sleep, 2 polling, 3 disabled, 4 training, 5 link up,
 *     6 error recovery, 7 test
 * @param linkLayer what the port speaks below RDMA
 * @param flags bits of {@code IBV_QPF_*}; 1 means that every address needs a GRH
 * @param portCapFlags2 bits of {@code enum ibv_port_cap_flags2}
 */
public record PortAttr(
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTblLen,
        int portCapFlags,
        long maxMsgSz,
        int badPkeyCntr,
        int qkeyViolCntr,
        int pkeyTblLen,
        int lid,
        int smLid,
        int lmc,
        int maxVlNum,
        int smSl,
        int subnetTimeout,
        int initTypeReply,
        int activeWidth,
        int activeSpeed,
        int physState,
        LinkLayer linkLayer,
        int flags,
        int portCapFlags2) {

    /** {@return {@link #portCapFlags} by name; a new set} */
    public Set<PortCapFlag> capFlags() {
        return PortCapFlag.of(portCapFlags);
    }

    /** {@return {@link #portCapFlags2} by name; a new set} */
    public Set<PortCapFlag2> capFlags2() {
        return PortCapFlag2.of(portCapFlags2);
    }
}
