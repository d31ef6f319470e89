package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The inline functions that call nothing. */
class InlineArithmeticTest {

    @Test
    void incRkeyCountsTheTagOnly() {
        assertEquals(0x12345601, DeviceMemoryVerbs.ibv_inc_rkey(0x12345600));
        assertEquals(0x12345600, DeviceMemoryVerbs.ibv_inc_rkey(0x123456ff));
        assertEquals(0xffffff00, DeviceMemoryVerbs.ibv_inc_rkey(0xffffffff));
    }

    @Test
    void isQptSupportedTestsOneBit() {
        assertEquals(1, DeviceVerbs.ibv_is_qpt_supported(1 << 2, verbs_h.IBV_QPT_RC()));
        assertEquals(0, DeviceVerbs.ibv_is_qpt_supported(1 << 2, verbs_h.IBV_QPT_UD()));
    }

    @Test
    void flowLabelFoldsIntoTheDynamicPorts() {
        assertEquals((short) 0xC000, NameVerbs.ibv_flow_label_to_udp_sport(0));
        assertEquals((short) (0xC000 | 0x3fff), NameVerbs.ibv_flow_label_to_udp_sport(0x3fff));
        assertEquals((short) (0xC000 | (1 ^ 0x3f)), NameVerbs.ibv_flow_label_to_udp_sport(0xfc001));
    }

    @Test
    void seterrnoTurnsAReturnedErrorIntoMinusOne() {
        Errno.set(7);
        assertEquals(0, RdmaVerbs.rdma_seterrno(0));
        assertEquals(7, Errno.last());
        assertEquals(-1, RdmaVerbs.rdma_seterrno(verbs_h.ENOMEM()));
        assertEquals(verbs_h.ENOMEM(), Errno.last());
    }

    @Test
    void errnoBelongsToAThread() throws InterruptedException {
        Errno.set(5);
        Thread other = Thread.ofVirtual().start(() -> Errno.set(6));
        other.join();
        assertEquals(5, Errno.last());
    }

    @Test
    void addressesOfAnIdentifierPointIntoIt() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = rdma_cm_id.allocate(arena);
            sockaddr_in.sin_port(RdmaCmOptions.rdma_get_local_addr(id), (short) 11);
            sockaddr_in.sin_port(RdmaCmOptions.rdma_get_peer_addr(id), (short) 12);
            MemorySegment addr = rdma_route.addr(rdma_cm_id.route(id));
            assertEquals(11, sockaddr_in.sin_port(rdma_addr.src_sin(addr)));
            assertEquals(12, sockaddr_in.sin_port(rdma_addr.dst_sin(addr)));
        }
    }

    @Test
    void anExtendedQueueIsAQueue() {
        MemorySegment cq = MemorySegment.ofAddress(0x1000);
        assertEquals(cq, CompletionVerbs.ibv_cq_ex_to_cq(cq));
    }
}
