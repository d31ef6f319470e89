package io.github.verbs4j.types;

import java.util.Objects;

/**
 * Network part of an address, the values of a packet's global route header ({@code struct
 * ibv_global_route}). Always used on RoCE; on InfiniBand between subnets.
 *
 * @param dgid GID of the destination port or multicast group
 * @param flowLabel 20 bits; packets with the same label keep one path
 * @param sgidIndex index of the source in the local port's GID table, 0 to 255
 * @param hopLimit routers a packet may pass, 0 to 255; also the IP time to live on RoCE v2
 * @param trafficClass 0 to 255; on RoCE v2 the IP DSCP and ECN bits
 */
public record GlobalRoute(Gid dgid, int flowLabel, int sgidIndex, int hopLimit, int trafficClass) {
    /** Checks the ranges. */
    public GlobalRoute {
        Objects.requireNonNull(dgid, "dgid");
        Text.range("flow_label", flowLabel, 0, 0xfffff);
        Text.range("sgid_index", sgidIndex, 0, 255);
        Text.range("hop_limit", hopLimit, 0, 255);
        Text.range("traffic_class", trafficClass, 0, 255);
    }

    /**
     * Returns the UDP source port that RoCE v2 packets with this flow label carry ({@code
     * ibv_flow_label_to_udp_sport}); routers choose paths by it.
     *
     * @return 0xc000 to 0xffff
     */
    public int udpSourcePort() {
        return (flowLabel & 0x3fff ^ flowLabel >>> 14) | 0xc000;
    }
}
