package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.ffi.ibv_qp_attr;
import io.github.verbs4j.types.QpAttr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QpAttrCodecTest {

    @ParameterizedTest
    @ValueSource(bytes = {0, 1})
    void aQueryTellsWhetherTheSendQueueIsDraining(byte draining) {
        MemorySegment struct = ibv_qp_attr.allocate(Arena.ofAuto());
        ibv_qp_attr.sq_draining(struct, draining);
        QpAttr attr = QpAttrCodec.read(struct);
        assertEquals(draining != 0, attr.sqDraining());
    }
}
