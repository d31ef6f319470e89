package io.github.verbs4j.types;

/**
 * What a device can do beyond {@link DeviceAttr} ({@code struct ibv_device_attr_ex}). A device that
 * lacks a feature, or whose driver predates it, reports zeros for it.
 *
 * @param origAttr the attributes that {@code ibv_query_device} reports
 * @param odpCaps on-demand paging
 * @param completionTimestampMask valid bits of a completion's timestamp; 0 means no timestamps
 * @param hcaCoreClock frequency of the timestamps in kHz, 0 if unknown
 * @param deviceCapFlagsEx bits of {@link DeviceCapFlag}; the low 32 repeat {@link
 *     DeviceAttr#deviceCapFlags}
 * @param tsoCaps segmentation of large TCP packets
 * @param rssCaps distribution of received packets over work queues
 * @param maxWqTypeRq receive work queues
 * @param packetPacingCaps limits of the sending rate
 * @param rawPacketCaps bits of {@link RawPacketCap}
 * @param tmCaps tag matching
 * @param cqModCaps completion queue moderation
 * @param maxDmSize memory on the device that can be allocated, in bytes
 * @param pciAtomicCaps atomics over the PCI bus
 * @param physPortCntEx ports, which {@link DeviceAttr#physPortCnt} cannot tell beyond 255
 */
public record DeviceAttrEx(
        DeviceAttr origAttr,
        OdpCaps odpCaps,
        long completionTimestampMask,
        long hcaCoreClock,
        long deviceCapFlagsEx,
        TsoCaps tsoCaps,
        RssCaps rssCaps,
        int maxWqTypeRq,
        PacketPacingCaps packetPacingCaps,
        int rawPacketCaps,
        TmCaps tmCaps,
        CqModerationCaps cqModCaps,
        long maxDmSize,
        PciAtomicCaps pciAtomicCaps,
        int physPortCntEx) {}
