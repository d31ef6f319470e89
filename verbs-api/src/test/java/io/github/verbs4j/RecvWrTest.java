package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.verbs4j.ffi.ibv_recv_wr;
import io.github.verbs4j.ffi.ibv_sge;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecvWrTest {

    @Test
    @DisplayName("A new request is for a message without data")
    void defaults() {
        MemorySegment wr = new RecvWr(1).self();
        assertEquals(0, ibv_recv_wr.wr_id(wr));
        assertEquals(0, ibv_recv_wr.num_sge(wr));
        assertEquals(0, ibv_recv_wr.next(wr).address());
    }

    @Test
    @DisplayName("wr_id and elements lie where C has them")
    void fields() {
        MemorySegment wr = new RecvWr(2).wrId(-3).sge(1, 0x2000, 0xffffffffL, -7).self();
        assertEquals(-3, ibv_recv_wr.wr_id(wr));
        assertEquals(2, ibv_recv_wr.num_sge(wr));
        MemorySegment sge =
                Raw.at(ibv_recv_wr.sg_list(wr).address() + ibv_sge.sizeof(), ibv_sge.sizeof());
        assertEquals(0x2000, ibv_sge.addr(sge));
        assertEquals(-1, ibv_sge.length(sge));
        assertEquals(-7, ibv_sge.lkey(sge));
    }

    @Test
    @DisplayName("Elements without room, and lengths C cannot hold, are refused")
    void bounds() {
        RecvWr wr = new RecvWr(1);
        assertThrows(IndexOutOfBoundsException.class, () -> wr.sge(1, 0, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> wr.sge(-1, 0, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> wr.sge(0, 0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> wr.sge(0, 0, 1L << 32, 0));
        assertThrows(IllegalArgumentException.class, () -> wr.numSge(2));
        assertThrows(IllegalArgumentException.class, () -> wr.numSge(-1));
        assertThrows(NullPointerException.class, () -> wr.sge(null, 0, 1));
        assertEquals(0, ibv_recv_wr.num_sge(wr.self()));
    }
}
