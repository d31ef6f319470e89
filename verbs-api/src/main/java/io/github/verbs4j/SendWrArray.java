package io.github.verbs4j;

/**
 * A chain of send work requests that are posted by one call: C's list of {@code struct
 * ibv_send_wr}. Built once and changed in place, as {@link SendWr}. For one thread at a time.
 */
public final class SendWrArray {

    private final WrMemory memory;
    private final SendWr[] requests;

    /**
     * A chain.
     *
     * @param capacity how many requests, 1 to 1048576
     * @param maxSge room for so many gather elements in each, 0 to 1024
     * @throws IllegalArgumentException when one of them is none of these
     */
    public SendWrArray(int capacity, int maxSge) {
        memory = WrMemory.ofSends(capacity, maxSge);
        requests = new SendWr[capacity];
        for (int i = 0; i < capacity; i++) {
            requests[i] = new SendWr(memory, i);
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
    public SendWr get(int index) {
        return requests[index];
    }

    WrMemory memory() {
        return memory;
    }
}
