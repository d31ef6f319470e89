package io.github.verbs4j.examples.tutorial;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Names of files on the wire: UTF-8 and a NUL. A name comes from a stranger, so it must be the name
 * of one plain file: no path, nothing hidden, nothing that fools a terminal.
 */
final class FileNames {

    /** Bytes with the NUL: what file systems take. */
    static final int MOST = 256;

    private FileNames() {}

    static byte[] encode(String name) throws Refused {
        check(name);
        byte[] bytes = (name + "\0").getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST) {
            throw refused("a name of %d bytes, %d at most", bytes.length - 1, MOST - 1);
        }
        return bytes;
    }

    static String decode(byte[] bytes) throws Refused {
        if (bytes.length < 2 || bytes.length > MOST) {
            throw refused("a name of %d bytes, 1 to %d are legal", bytes.length - 1, MOST - 1);
        }
        if (bytes[bytes.length - 1] != 0) {
            throw refused("a name without an end");
        }
        try {
            String name =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, 0, bytes.length - 1))
                            .toString();
            check(name);
            return name;
        } catch (CharacterCodingException e) {
            throw refused("a name that is not UTF-8");
        }
    }

    private static void check(String name) throws Refused {
        if (name.isEmpty()) {
            throw refused("an empty name");
        }
        if (name.codePoints().anyMatch(FileNames::isTreacherous)) {
            throw refused("a name with control characters");
        }
        if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
            throw refused("the name \"%s\": it has a path", name);
        }
        // Also "." and "..", and the temporary files of this program.
        if (name.startsWith(".")) {
            throw refused("the name \"%s\": it begins with a dot", name);
        }
    }

    /** Control and format characters: among these are the ones that turn text around. */
    private static boolean isTreacherous(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }

    private static Refused refused(String format, Object... args) {
        return new Refused(Refusal.BAD_NAME, "refused " + format.formatted(args));
    }
}
