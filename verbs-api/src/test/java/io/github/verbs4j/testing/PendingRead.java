package io.github.verbs4j.testing;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A read into memory from a socket that has nothing to give: Java cannot free it meanwhile. */
public final class PendingRead implements AutoCloseable {

    private final AsynchronousSocketChannel reader;
    private final AsynchronousSocketChannel writer;
    private final Future<Integer> read;

    /** Starts the read. */
    public PendingRead(MemorySegment into)
            throws IOException, InterruptedException, ExecutionException {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            writer = AsynchronousSocketChannel.open();
            Future<Void> connected = writer.connect(server.getLocalAddress());
            reader = server.accept().get();
            connected.get();
        }
        read = reader.read(into.asByteBuffer());
        if (read.isDone()) {
            throw new AssertionError("the read did not wait");
        }
    }

    /** Waits until memory is freed; fails if it is not. */
    public static void awaitFreed(MemorySegment memory) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (memory.scope().isAlive()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not freed");
            }
            Thread.yield();
        }
    }

    /** Ends the read, with a byte: Java goes on using the memory when the reader is closed. */
    @Override
    public void close() throws IOException {
        try {
            writer.write(ByteBuffer.allocate(1)).get();
            read.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
        reader.close();
        writer.close();
    }
}
