package io.github.verbs4j.types;

/**
 * Identity and limits of a device ({@code struct ibv_device_attr}). Limits are upper bounds:
 * resources are shared, so a creation below them may still fail.
 *
 * @param fwVer firmware version as text
 * @param nodeGuid GUID of the device
 * @param sysImageGuid GUID of the card, shared by its devices
 * @param maxMrSize largest memory region in bytes, unsigned (-1 means no limit)
 * @param pageSizeCap supported page sizes: bit n stands for 2<sup>n</sup> bytes
 * @param vendorId IEEE vendor number
 * @param vendorPartId part number given by the vendor
 * @param hwVer hardware version
 * @param maxQp queue pairs
 * @param maxQpWr outstanding requests per work queue
 * @param deviceCapFlags bits of {@code enum ibv_device_cap_flags}
 * @param maxSge scatter/gather elements per request, other than reads
 * @param maxSgeRd scatter/gather elements per RDMA read
 * @param maxCq completion queues
 * @param maxCqe entries per completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtom reads and atomics a queue pair can answer at a time
 * @param maxEeRdAtom the same per end-to-end context (reliable datagram)
 * @param maxResRdAtom reads and atomics the device can answer at a time
 * @param maxQpInitRdAtom reads and atomics a queue pair can have outstanding as requester
 * @param maxEeInitRdAtom the same per end-to-end context (reliable datagram)
 * @param atomicCap how far atomics are atomic
 * @param maxEe end-to-end contexts (reliable datagram)
 * @param maxRdd reliable datagram domains
 * @param maxMw memory windows
 * @param maxRawIpv6Qp raw IPv6 queue pairs
 * @param maxRawEthyQp raw Ethertype queue pairs
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs per multicast group
 * @param maxTotalMcastQpAttach queue pairs in multicast groups, in total
 * @param maxAh address handles
 * @param maxFmr fast memory regions
 * @param maxMapPerFmr mappings per fast memory region before it must be remapped
 * @param maxSrq shared receive queues
 * @param maxSrqWr requests per shared receive queue
 * @param maxSrqSge scatter elements per request of a shared receive queue
 * @param maxPkeys entries of the P_Key table
 * @param localCaAckDelay longest delay of an acknowledgement by this device, 4.096 µs ·
 *     2<sup>n</sup>
 * @param physPortCnt ports, numbered from 1
 */
public record DeviceAttr(
        String fwVer,
        Guid nodeGuid,
        Guid sysImageGuid,
        long maxMrSize,
        long pageSizeCap,
        int vendorId,
        int vendorPartId,
        int hwVer,
        int maxQp,
        int maxQpWr,
        int deviceCapFlags,
        int maxSge,
        int maxSgeRd,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxPd,
        int maxQpRdAtom,
        int maxEeRdAtom,
        int maxResRdAtom,
        int maxQpInitRdAtom,
        int maxEeInitRdAtom,
        AtomicCap atomicCap,
        int maxEe,
        int maxRdd,
        int maxMw,
        int maxRawIpv6Qp,
        int maxRawEthyQp,
        int maxMcastGrp,
        int maxMcastQpAttach,
        int maxTotalMcastQpAttach,
        int maxAh,
        int maxFmr,
        int maxMapPerFmr,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxPkeys,
        int localCaAckDelay,
        int physPortCnt) {}
