package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.verbs4j.ffi.WorkRequestCalls;
import io.github.verbs4j.ffi.ibv_sge;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * The data of a request of a {@link SendBatch}: elements, or bytes that are sent inline. The
 * lengths it passes on are within its own memory, whatever threads do, so no call can crash.
 */
abstract sealed class SendRecordData permits SendRecord {

    private static final long SGE_SIZE = ibv_sge.sizeof();
    private static final long SGE_ADDR = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_LKEY = ibv_sge.lkey$offset();

    private final MemorySegment sges;

    /** The regions that elements were given by, so that none is collected, and reported, in use. */
    private final MemoryRegion[] regions;

    /** Inline data, or the headers of a TSO request. */
    final MemorySegment bytes;

    private final long bytesAddress;

    /**
     * How many elements there are, or the complement of the number of inline bytes: one field, as
     * what is posted must agree on it while another thread changes it.
     */
    private int amount;

    // The first element, which is mostly the only one; the list has those that follow.
    private long firstAddress;
    private int firstLength;
    private int firstLkey;

    SendRecordData(MemorySegment sges, MemorySegment bytes) {
        this.sges = sges;
        this.regions = new MemoryRegion[(int) (sges.byteSize() / SGE_SIZE)];
        this.bytes = bytes;
        this.bytesAddress = bytes.address();
    }

    static long sgeSize() {
        return SGE_SIZE;
    }

    final void clearData() {
        amount = 0;
    }

    /** What data there is, to be read once and passed on. */
    final int amount() {
        return amount;
    }

    /** Tells whether there is inline data, be it of no bytes. */
    static boolean isInline(int amount) {
        return amount < 0;
    }

    static boolean hasElements(int amount) {
        return amount > 0;
    }

    static int inlineLength(int amount) {
        return amount < 0 ? ~amount : 0;
    }

    /** Adds an element; false when there is no room. An empty one changes nothing. */
    final boolean addSge(MemoryRegion mr, long address, long length, int lkey) {
        if (length == 0) {
            return true;
        }
        int index = amount;
        if (index >= regions.length) {
            return false;
        }
        if (index == 0) {
            firstAddress = address;
            firstLength = (int) length;
            firstLkey = lkey;
        } else {
            place(index, address, (int) length, lkey);
        }
        // Only where it changes, as the collector notes every store of a reference.
        if (regions[index] != mr) {
            regions[index] = mr;
        }
        amount = index + 1;
        return true;
    }

    private void place(int index, long address, int length, int lkey) {
        long at = index * SGE_SIZE;
        sges.set(JAVA_LONG, at + SGE_ADDR, address);
        sges.set(JAVA_INT, at + SGE_LENGTH, length);
        sges.set(JAVA_INT, at + SGE_LKEY, lkey);
    }

    /** Copies data to be sent inline behind that copied before; false when it is too long. */
    final boolean addInline(MemorySegment source, int limit) {
        int before = inlineLength(amount);
        long length = source.byteSize();
        if (length > limit - before) {
            return false;
        }
        InlineImage.copy(source, 0, bytes, before, length);
        amount = ~(before + (int) length);
        return true;
    }

    private long elementLength(int index) {
        int length = index == 0 ? firstLength : sges.get(JAVA_INT, index * SGE_SIZE + SGE_LENGTH);
        return Integer.toUnsignedLong(length);
    }

    /** The length of the message that the request sends, or of what it reads. */
    final long length() {
        int data = amount;
        long length = inlineLength(data);
        for (int i = 0; i < data; i++) {
            length += elementLength(i);
        }
        return length;
    }

    /** Tells whether elements differ in length, which rxe of some versions cannot add up. */
    final boolean isUneven() {
        for (int i = 1; i < amount; i++) {
            if (elementLength(i) != elementLength(0)) {
                return true;
            }
        }
        return false;
    }

    /** A request that takes data needs one of the setters, on some providers even for none. */
    final void replayData(WorkRequestCalls calls, int data) {
        if (data == 1) {
            calls.ibv_wr_set_sge(firstLkey, firstAddress, firstLength);
        } else if (data > 1) {
            place(0, firstAddress, firstLength, firstLkey);
            calls.ibv_wr_set_sge_list(data, sges.address());
            Reference.reachabilityFence(sges);
        } else if (inlineLength(data) > 0) {
            calls.ibv_wr_set_inline_data(bytesAddress, inlineLength(data));
            Reference.reachabilityFence(bytes);
        } else {
            calls.ibv_wr_set_sge(0, 0, 0);
        }
    }

    /** Gives a classic request the same data. */
    final void copyData(SendWr wr) {
        int data = amount;
        if (inlineLength(data) > 0) {
            wr.sge(0, bytes.asSlice(0, inlineLength(data)));
        }
        for (int i = 0; i < data; i++) {
            long at = i * SGE_SIZE;
            boolean first = i == 0;
            wr.sge(
                    i,
                    first ? firstAddress : sges.get(JAVA_LONG, at + SGE_ADDR),
                    elementLength(i),
                    first ? firstLkey : sges.get(JAVA_INT, at + SGE_LKEY));
        }
    }
}
