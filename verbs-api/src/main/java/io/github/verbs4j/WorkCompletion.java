package io.github.verbs4j;

import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import io.github.verbs4j.types.WorkCompletionException;

/**
 * One finished work request, copied out of a {@link WcArray}. Of a failed request only {@code
 * wrId}, {@code status}, {@code qpNum} and {@code vendorErr} mean anything; {@code opcode} is then
 * null and the numbers are 0.
 *
 * <p>What is said of UD receives is 0 for what is no receive, and for receives of other transports
 * it means nothing: see {@link WcArray}.
 *
 * @param wrId what the request carried
 * @param status how it ended
 * @param opcode what it was; null after a failure
 * @param vendorErr the provider's own error code, 0 after success
 * @param byteLen bytes received, or read by an RDMA read or atomic
 * @param immData the immediate data in host order, if {@code wcFlags} has WITH_IMM; the invalidated
 *     rkey, if it has WITH_INV
 * @param qpNum the local queue pair
 * @param srcQp the remote queue pair, of a UD receive
 * @param wcFlags bits of {@link io.github.verbs4j.types.WcFlags}
 * @param pkeyIndex the partition key, of a UD receive on the GSI queue pair
 * @param slid the sender's LID, of a UD receive
 * @param sl the service level, of a UD receive
 * @param dlidPathBits the local path, of a UD receive
 */
public record WorkCompletion(
        long wrId,
        WcStatus status,
        WcOpcode opcode,
        int vendorErr,
        long byteLen,
        int immData,
        int qpNum,
        int srcQp,
        int wcFlags,
        int pkeyIndex,
        int slid,
        int sl,
        int dlidPathBits) {

    /**
     * Tells whether the request was carried out.
     *
     * @return true when the status is SUCCESS
     */
    public boolean isSuccess() {
        return status == WcStatus.SUCCESS;
    }

    /**
     * Throws if the request failed.
     *
     * @return this
     * @throws WorkCompletionException naming the status and its usual causes
     */
    public WorkCompletion checkSuccess() {
        if (!isSuccess()) {
            throw new WorkCompletionException(status, status.value(), wrId, qpNum, vendorErr);
        }
        return this;
    }
}
