package io.github.verbs4j.types;

/**
 * Capacities of a queue pair's queues ({@code struct ibv_qp_cap}). Creation may grant more than was
 * asked for.
 *
 * @param maxSendWr outstanding send requests
 * @param maxRecvWr outstanding receives
 * @param maxSendSge scatter/gather elements per send request
 * @param maxRecvSge scatter elements per receive
 * @param maxInlineData bytes that a send request can carry itself
 */
public record QpCap(
        int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {
    /** Checks that no capacity is negative. */
    public QpCap {
        Text.range("max_send_wr", maxSendWr, 0, Integer.MAX_VALUE);
        Text.range("max_recv_wr", maxRecvWr, 0, Integer.MAX_VALUE);
        Text.range("max_send_sge", maxSendSge, 0, Integer.MAX_VALUE);
        Text.range("max_recv_sge", maxRecvSge, 0, Integer.MAX_VALUE);
        Text.range("max_inline_data", maxInlineData, 0, Integer.MAX_VALUE);
    }
}
