package io.github.verbs4j.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {

    @TempDir Path folder;

    @Test
    void whatNoServerWritesIsRemoved() throws Exception {
        Path left = Files.writeString(folder.resolve(Leftovers.name()), "half");
        assertEquals(1, Leftovers.remove(folder));
        assertFalse(Files.exists(left));
        assertEquals(0, Leftovers.remove(folder));
    }

    @Test
    void whatAServerWritesStays() throws Exception {
        try (IncomingFile file = new IncomingFile(folder, "name")) {
            file.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals(0, Leftovers.remove(folder));
            file.commit();
        }
        assertEquals(3, Files.size(folder.resolve("name")));
        assertEquals(0, Leftovers.remove(folder));
    }

    @Test
    void whatHasAnotherNameOrIsNoFileStays() throws Exception {
        Path other = Files.writeString(folder.resolve(".file-transfer-1.part"), "mine");
        Path mine = Files.writeString(folder.resolve("mine"), "mine");
        Path link = Files.createSymbolicLink(folder.resolve(Leftovers.name()), mine);
        Path directory = Files.createDirectory(folder.resolve(Leftovers.name()));
        assertEquals(0, Leftovers.remove(folder));
        assertEquals("mine", Files.readString(other));
        assertEquals("mine", Files.readString(mine));
        assertTrue(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.isDirectory(directory));
    }
}
