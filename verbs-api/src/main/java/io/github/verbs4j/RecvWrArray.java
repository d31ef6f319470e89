package io.github.verbs4j;

/**
 * A chain of receive work requests that are posted by one call: C's list of {@code struct
 * ibv_recv_wr}. Built once and changed in place, as {@link RecvWr}. For one thread at a time.
 */
public final class RecvWrArray {

    private final WrMemory memory;
    private final RecvWr[] requests;

    /**
     * A chain.
     *
     * @param capacity how many requests, 1 to 1048576
     * @param maxSge room for so many scatter elements in each, 0 to 1024
     * @throws IllegalArgumentException when one of them is none of these
     */
    public RecvWrArray(int capacity, int maxSge) {
        memory = WrMemory.ofReceives(capacity, maxSge);
        requests = new RecvWr[capacity];
        for (int i = 0; i < capacity; i++) {
            requests[i] = new RecvWr(memory, i);
        }
    }

    /**
     * How many requests the chain has.
     *
     * @return the capacity
     */
    public int capacity() {
        return requests.length;
    }

    /**
     * One request, to be changed in place. It may be posted alone too, without those behind it.
     *
     * @param index 0 to the capacity, less 1
     * @return the request, always the same object
     */
    public RecvWr get(int index) {
        return requests[index];
    }

    WrMemory memory() {
        return memory;
    }
}
