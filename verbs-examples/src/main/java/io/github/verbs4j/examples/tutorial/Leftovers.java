package io.github.verbs4j.examples.tutorial;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * The temporary files of servers. A server that is interrupted removes its own. One that is killed
 * leaves them behind, and the next one in that folder removes them: a lock, which ends with its
 * process, tells them from those of a server that is alive.
 */
final class Leftovers {

    private static final Pattern NAME = Pattern.compile("\\.file-transfer-[0-9a-f]{16}\\.part");

    private static final Set<Path> UNDERWAY = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> UNDERWAY.forEach(Leftovers::delete)));
    }

    private Leftovers() {}

    /** {@return a name that no other has} */
    static String name() {
        return ".file-transfer-%016x.part".formatted(ThreadLocalRandom.current().nextLong());
    }

    /** Takes care of a file, and shows the servers that start later that it is not left over. */
    static void claim(Path temporary, FileChannel channel) {
        UNDERWAY.add(temporary);
        try {
            channel.tryLock();
        } catch (IOException e) {
            // A file system without locks: there nothing is removed, either.
        }
    }

    /** The file needs no more care. */
    static void release(Path temporary) {
        UNDERWAY.remove(temporary);
    }

    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The next server will.
        }
    }

    /** Removes what is left over. {@return how many files that were} */
    static int remove(Path folder) throws IOException {
        int removed = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Leftovers::isOurs)) {
            for (Path file : files) {
                removed += removeUnclaimed(file) ? 1 : 0;
            }
        }
        return removed;
    }

    private static boolean isOurs(Path file) {
        return NAME.matcher(file.getFileName().toString()).matches()
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean removeUnclaimed(Path file) {
        try (FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            return lock != null && Files.deleteIfExists(file);
        } catch (IOException | OverlappingFileLockException e) {
            return false; // It stays: somebody else's, or in use.
        }
    }
}
