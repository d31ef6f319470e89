package io.github.verbs4j.types;

/**
 * On-demand paging: memory regions whose pages are not pinned ({@code struct ibv_odp_caps}).
 *
 * @param generalCaps bits of {@link OdpGeneralCap}; 0 means that the device has none of it
 * @param rcOdpCaps what RC can do with such regions, bits of {@link OdpTransportCap}
 * @param ucOdpCaps what UC can do, bits of {@link OdpTransportCap}
 * @param udOdpCaps what UD can do, bits of {@link OdpTransportCap}
 * @param xrcOdpCaps what XRC can do, bits of {@link OdpTransportCap} (in C a field of {@code
 *     ibv_device_attr_ex})
 */
public record OdpCaps(
        long generalCaps, int rcOdpCaps, int ucOdpCaps, int udOdpCaps, int xrcOdpCaps) {}
