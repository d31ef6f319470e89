package io.github.verbs4j.examples.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Standard output by whole lines, so that the lines of two programs on one terminal do not mix.
 * What has no end of line yet (progress) is shown by {@link #flush}.
 */
public final class LineOutput extends BufferedOutputStream {

    private LineOutput() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    /** Makes it the standard output of this process. */
    public static void install() {
        System.setOut(new PrintStream(new LineOutput(), false, System.out.charset()));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        super.write(bytes, offset, length);
        if (length > 0 && bytes[offset + length - 1] == '\n') {
            flush();
        }
    }
}
