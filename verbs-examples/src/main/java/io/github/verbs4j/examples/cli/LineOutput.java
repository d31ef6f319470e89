package io.github.verbs4j.examples.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard output by whole lines, so that the lines of two programs on one terminal do not mix.
 * What has no end of line yet (progress) is shown by {@link #flush}. An example whose output cannot
 * be written fails there and then: a full disk or a closed pipe is no success.
 */
public final class LineOutput extends BufferedOutputStream {

    private IOException failure;

    private LineOutput() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    LineOutput(OutputStream out) {
        super(out);
    }

    /** Makes it the standard output of this process. */
    public static LineOutput install() {
        LineOutput output = new LineOutput();
        System.setOut(new PrintStream(output, false, System.out.charset()));
        return output;
    }

    /** {@return whether all could be written, so far} */
    public boolean isIntact() {
        return failure == null;
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        try {
            if (failure == null) {
                super.write(bytes, offset, length);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        if (length > 0 && bytes[offset + length - 1] == '\n') {
            flush();
        }
    }

    @Override
    public synchronized void flush() {
        try {
            if (failure == null) {
                super.flush();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Not an IOException, which print streams keep to themselves. Said once: the rest is lost. */
    private ExampleException failed(IOException e) {
        failure = e;
        return new ExampleException("could not write to standard output: %s", e.getMessage());
    }
}
