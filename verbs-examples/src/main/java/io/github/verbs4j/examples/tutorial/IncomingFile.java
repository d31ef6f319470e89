package io.github.verbs4j.examples.tutorial;

import io.github.verbs4j.examples.cli.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A file that arrives: under a temporary name until it is complete and on the disk, then under its
 * own, which must be free. Whenever the program is killed, there is the whole file or none under
 * that name, and at most a temporary file beside it, which the next server removes.
 */
final class IncomingFile implements AutoCloseable {

    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final MessageDigest digest = Digests.sha256();
    private long length;

    IncomingFile(Path folder, String name) throws Refused {
        try {
            target = folder.resolve(name);
        } catch (InvalidPathException e) {
            // A server in the locale C has ASCII only.
            throw new Refused(Refusal.BAD_NAME, "refused a name: " + e.getMessage());
        }
        // Not the last word, that is in commit, but it spares a transfer in vain.
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw exists();
        }
        temporary = folder.resolve(Leftovers.name());
        try {
            channel =
                    FileChannel.open(
                            temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Leftovers.claim(temporary, channel);
        } catch (IOException e) {
            throw notStored(e);
        }
    }

    void append(ByteBuffer data) throws Refused {
        digest.update(data.duplicate());
        length += data.remaining();
        try {
            while (data.hasRemaining()) {
                channel.write(data);
            }
        } catch (IOException e) {
            throw notStored(e);
        }
    }

    String name() {
        return target.getFileName().toString();
    }

    long length() {
        return length;
    }

    /** {@return the digest of all that arrived; ends the arrival} */
    byte[] digest() {
        return digest.digest();
    }

    // @start region=commit
    /** Gives the complete file its name. */
    void commit() throws Refused {
        try {
            channel.force(true);
            // A link never replaces what is there, whoever made it since.
            Files.createLink(target, temporary);
            Files.delete(temporary);
            syncFolder();
        } catch (FileAlreadyExistsException e) {
            throw exists();
        } catch (IOException | UnsupportedOperationException e) {
            throw notStored(e);
        }
    }

    // @end

    /** The name is to survive a power failure, too. */
    private void syncFolder() throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private Refused exists() {
        return new Refused(Refusal.EXISTS, target + " exists; it was left as it is");
    }

    private Refused notStored(Exception e) {
        return new Refused(
                Refusal.NOT_STORED, "could not store " + target + ": " + Failures.describe(e));
    }

    static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    /** Removes the temporary file, if it is still there. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(temporary);
        Leftovers.release(temporary);
    }
}
