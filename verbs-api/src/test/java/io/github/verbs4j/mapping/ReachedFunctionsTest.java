package io.github.verbs4j.mapping;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check that never says no would be none. */
class ReachedFunctionsTest {

    private static final ReachedFunctions FUNCTIONS = read();

    private static ReachedFunctions read() {
        try {
            return new ReachedFunctions(Mapping.root());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "QueuePair, postSend, ibv_post_send, ibv_post_recv",
        "QueuePair, close, ibv_destroy_qp, ibv_destroy_cq",
        "CmId, migrate, rdma_migrate_id, rdma_destroy_id",
        "RSocket, read, rread, rwrite",
        "RdmaVerbs, regRead, rdma_reg_read, rdma_post_read"
    })
    void findsWhatAMethodCallsAndNothingElse(
            String type, String name, String reached, String other) {
        TypedMethods.Method method = new TypedMethods.Method(type, name);
        assertTrue(FUNCTIONS.reaches(method, reached));
        assertFalse(FUNCTIONS.reaches(method, other));
    }
}
