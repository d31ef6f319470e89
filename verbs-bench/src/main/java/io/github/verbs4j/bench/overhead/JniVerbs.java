package io.github.verbs4j.bench.overhead;

import java.nio.ByteBuffer;

/** The verbs as native methods, one each, on native addresses: how JNI libraries bind them. */
final class JniVerbs {

    private JniVerbs() {}

    /** Loads the library that scripts/bench builds. */
    @SuppressWarnings("restricted")
    static void load() {
        System.load(
                System.getProperty("verbs4j.bench.native", "target/bench/native")
                        + "/liboverhead.so");
    }

    static native int postSend(long qp, long wr, long badWr);

    static native int postRecv(long qp, long wr, long badWr);

    static native int pollCq(long cq, int n, long wc);

    static native long address(ByteBuffer buffer);
}
