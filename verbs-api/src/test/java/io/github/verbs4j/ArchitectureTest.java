package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the layers promise each other. */
class ArchitectureTest {

    private static final Path CLASSES =
            Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @Test
    void noPublicSignatureNamesTheRawLayer() throws Exception {
        List<String> leaks = new ArrayList<>();
        for (Class<?> type : publicTypes()) {
            for (Class<?> named : namedIn(type)) {
                if (named.getPackageName().startsWith("io.github.verbs4j.ffi")
                        || named.getPackageName().startsWith("io.github.verbs4j.internal")) {
                    leaks.add(type.getSimpleName() + ": " + named.getName());
                }
            }
        }
        assertEquals(List.of(), leaks);
    }

    @Test
    void valuesKnowNothingOfNativeMemory() throws Exception {
        List<String> leaks = new ArrayList<>();
        for (Class<?> type : publicTypes()) {
            if (type.getPackageName().equals("io.github.verbs4j.types")) {
                String code = new String(Files.readAllBytes(file(type)), "ISO-8859-1");
                if (code.contains("java/lang/foreign") || code.contains("verbs4j/ffi/")) {
                    leaks.add(type.getName());
                }
            }
        }
        assertEquals(List.of(), leaks);
    }

    @Test
    void theInternalPackageDoesNotKnowThePublicClasses() throws Exception {
        try (Stream<Path> files = Files.list(CLASSES.resolve("io/github/verbs4j/internal"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String code = new String(Files.readAllBytes(file), "ISO-8859-1");
                for (Class<?> type : publicTypes()) {
                    if (type.getPackageName().equals("io.github.verbs4j")) {
                        String name = type.getName().replace('.', '/');
                        assertFalse(code.contains("L" + name + ";"), file + " uses " + name);
                    }
                }
            }
        }
    }

    private static List<Class<?>> publicTypes() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path path : files.filter(file -> file.toString().endsWith(".class")).toList()) {
                String name = CLASSES.relativize(path).toString().replace('/', '.');
                if (name.startsWith("io.github.verbs4j.") && !name.contains(".internal.")) {
                    Class<?> type =
                            Class.forName(
                                    name.substring(0, name.length() - ".class".length()),
                                    false,
                                    Device.class.getClassLoader());
                    if (Modifier.isPublic(type.getModifiers())
                            && !type.getSimpleName().equals("package-info")) {
                        types.add(type);
                    }
                }
            }
        }
        assertFalse(types.isEmpty());
        return types;
    }

    private static Path file(Class<?> type) {
        return CLASSES.resolve(type.getName().replace('.', '/') + ".class");
    }

    private static List<Class<?>> namedIn(Class<?> type) {
        List<Class<?>> named = new ArrayList<>();
        Stream<Executable> executables =
                Stream.concat(
                        Arrays.stream(type.getDeclaredMethods()),
                        Arrays.stream(type.getDeclaredConstructors()));
        executables
                .filter(executable -> isVisible(executable.getModifiers()))
                .forEach(
                        executable -> {
                            named.addAll(List.of(executable.getParameterTypes()));
                            if (executable instanceof java.lang.reflect.Method method) {
                                named.add(method.getReturnType());
                            }
                        });
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers())) {
                named.add(field.getType());
            }
        }
        return named;
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
