package io.github.verbs4j;

import io.github.verbs4j.internal.Check;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The fields of a {@link SendWr}, each set by a method that is named after it. */
abstract sealed class SendWrFields extends SendWrStruct permits SendWr {

    SendWrFields(WrMemory block, int index) {
        super(block, index);
        opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
    }

    private SendWr request() {
        return (SendWr) this;
    }

    // ---- what the request is

    /**
     * Sets the number that the completion carries back.
     *
     * @param id any 64 bits
     * @return this
     */
    public SendWr wrId(long id) {
        setLong(WR_ID, id);
        return request();
    }

    /**
     * Sets the operation.
     *
     * @param newOpcode the operation
     * @return this
     */
    public SendWr opcode(WrOpcode newOpcode) {
        opcode = Objects.requireNonNull(newOpcode, "newOpcode");
        placeOpcode();
        placeRemote();
        placeImm();
        classify();
        return request();
    }

    /**
     * Sets the flags.
     *
     * @param newFlags bits of {@link SendFlags}
     * @return this
     * @throws IllegalArgumentException when a bit is none of them
     */
    public SendWr sendFlags(int newFlags) {
        checkFlags(newFlags);
        flags = newFlags;
        // INLINE is set in the image that is posted, never here: see InlineImage.
        setInt(SEND_FLAGS, newFlags & ~SendFlags.INLINE);
        classify();
        return request();
    }

    /**
     * Sets the immediate data, for the operations WITH_IMM.
     *
     * @param imm 32 bits in host order
     * @return this
     */
    public SendWr immData(int imm) {
        immData = imm;
        placeImm();
        return request();
    }

    /**
     * Sets the peer's rkey to invalidate, for SEND_WITH_INV.
     *
     * @param peerRkey the rkey of a type 2 memory window of the peer's
     * @return this
     */
    public SendWr invalidateRkey(int peerRkey) {
        invalidateRkey = peerRkey;
        placeImm();
        return request();
    }

    // ---- local data

    /**
     * Makes a part of a region the only element of the gather list (of a READ or an atomic: where
     * the result goes).
     *
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes
     * @return this
     * @throws IndexOutOfBoundsException when the part is not inside the region
     * @throws IllegalStateException when the region is closed
     */
    public SendWr sge(MemoryRegion mr, long offset, long length) {
        sge(0, mr, offset, length);
        numSge(1);
        if (unregistered || lengthy) {
            unregistered = false;
            lengthy = false;
            classify();
        }
        return request();
    }

    /**
     * Sets an element of the gather list, which grows to hold it.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param mr the region
     * @param offset where the part begins, in bytes from the region's start
     * @param length how long it is, in bytes; an empty element is legal
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element, or the part is not
     *     inside the region
     * @throws IllegalStateException when the region is closed
     */
    public SendWr sge(int index, MemoryRegion mr, long offset, long length) {
        mr.checkRange(offset, length);
        sge(index, mr.iova() + offset, length, mr.lkey());
        sources[index] = mr.readable();
        sourceOffsets[index] = offset;
        regions[index] = mr;
        return request();
    }

    /**
     * Sets an element of the gather list by address and key, unchecked: the device refuses what the
     * key does not allow. Not for inline data.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param address where the data is
     * @param length how long it is, in bytes, up to 4 GiB − 1
     * @param lkey the local key that covers it
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element
     */
    public SendWr sge(int index, long address, long length, int lkey) {
        Objects.checkIndex(index, maxSge);
        if (length < 0 || length > WrMemory.MAX_LENGTH) {
            Check.range("length", length, 0, WrMemory.MAX_LENGTH);
        }
        long at = sges + index * SGE_SIZE;
        setLong(at, address);
        setInt(at + SGE_LENGTH, (int) length);
        setInt(at + SGE_LKEY, lkey);
        sources[index] = null;
        regions[index] = null;
        if (index >= numSge) {
            numSge(index + 1);
        }
        if (length > WrMemory.SHORT_LENGTH && maxSge > 1) {
            lengthy = true;
            classify();
        } else if (isAtomic()) {
            classify();
        }
        return request();
    }

    /**
     * Sets an element of the gather list to memory that need not be registered, on or off the heap:
     * for inline data only.
     *
     * @param index 0 to the room the request was made with, less 1
     * @param data the data; copied when the request is posted, by a thread that may read it: a
     *     confined arena is one thread's. Without the flag INLINE posting refuses it
     * @return this
     * @throws IndexOutOfBoundsException when there is no room for the element
     */
    public SendWr sge(int index, MemorySegment data) {
        sge(index, 0, data.byteSize(), 0);
        sources[index] = data;
        sourceOffsets[index] = UNREGISTERED_SOURCE;
        unregistered = true;
        classify();
        return request();
    }

    /**
     * Sets how many elements of the gather list count. 0 makes a message without data.
     *
     * @param n 0 to the room the request was made with
     * @return this
     */
    public SendWr numSge(int n) {
        if (n < 0 || n > maxSge) {
            Check.range("numSge", n, 0, maxSge);
        }
        numSge = n;
        setInt(NUM_SGE, n);
        if (isAtomic()) {
            classify();
        }
        return request();
    }

    // ---- the peer's memory

    /**
     * Sets the target of a WRITE, READ or atomic.
     *
     * @param buffer the peer's buffer
     * @param offset in bytes from its start
     * @return this
     */
    public SendWr remote(RemoteBuffer buffer, long offset) {
        return remote(buffer.address(offset), buffer.rkey());
    }

    /**
     * Sets the target of a WRITE, READ or atomic by address and key, unchecked: the peer's device
     * refuses what the key does not allow.
     *
     * @param address in the peer's memory
     * @param peerRkey the peer's key that covers it
     * @return this
     */
    public SendWr remote(long address, int peerRkey) {
        remoteAddress = address;
        rkey = peerRkey;
        placeRemote();
        return request();
    }

    /**
     * Sets where a datagram goes, for SEND and SEND_WITH_IMM on a UD queue pair.
     *
     * @param to the destination, of the same protection domain; open when the request is posted
     * @param qpn the number of the destination's queue pair; 0xffffff of a multicast group
     * @param qkey the Q_Key that the destination expects; with the highest bit set, devices other
     *     than Soft-RoCE send the local queue pair's own instead
     * @return this
     */
    public SendWr ud(AddressHandle to, int qpn, int qkey) {
        ah = Objects.requireNonNull(to, "to");
        remoteQpn = qpn;
        remoteQkey = qkey;
        return request();
    }

    /**
     * Sets which shared receive queue of the peer's a message goes to, on an XRC_SEND queue pair.
     *
     * @param srqn the queue's number ({@link SharedReceiveQueue#srqNum}), 24 bits
     * @return this
     */
    public SendWr xrcRemoteSrqn(int srqn) {
        Check.range("srqn", srqn, 0, 0xffffff);
        setInt(XRC_SRQN, srqn);
        return request();
    }

    /**
     * Sets what an atomic compares with, or adds.
     *
     * @param value 64 bits in host order
     * @return this
     */
    public SendWr compareAdd(long value) {
        compareAdd = value;
        if (isAtomic()) {
            setLong(COMPARE_ADD, value);
        }
        return request();
    }

    /**
     * Sets what COMPARE_AND_SWAP stores.
     *
     * @param value 64 bits in host order
     * @return this
     */
    public SendWr swap(long value) {
        swap = value;
        if (isAtomic()) {
            setLong(SWAP, value);
        }
        return request();
    }
}
