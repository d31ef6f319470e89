package io.github.verbs4j.ffi;

import io.github.verbs4j.ffi.mlx5.mlx5dv_h;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The classes of this package and of what is generated for mlx5, read from where they were compiled
 * to, so that none is forgotten.
 */
final class Classes {

    /** The generated classes that hold constants and functions. */
    static final List<Class<?>> HEADERS = List.of(verbs_h.class, mlx5dv_h.class);

    private Classes() {}

    /** The classes that jextract wrote for structs, without the ones nested in them. */
    static List<Class<?>> structs() {
        return all().filter(c -> method(c, "layout").isPresent()).toList();
    }

    /** The hand-written classes that hold C functions. */
    static List<Class<?>> functionHolders() {
        List<Class<?>> others = List.of(Errno.class, NativeLibrary.class, NewerStructs.class);
        return all().filter(c -> Character.isUpperCase(c.getSimpleName().charAt(0)))
                .filter(c -> Modifier.isPublic(c.getModifiers()))
                .filter(c -> !Throwable.class.isAssignableFrom(c) && !others.contains(c))
                .toList();
    }

    /** The hand-written C functions. */
    static List<Method> functions() {
        return functionHolders().stream()
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                .filter(m -> Modifier.isPublic(m.getModifiers()))
                .filter(m -> Modifier.isStatic(m.getModifiers()))
                .toList();
    }

    /** The constants of a type, such as NativeFunction, in all hand-written classes. */
    static <T> List<T> constants(Class<T> type) {
        return functionHolders().stream()
                .flatMap(c -> Arrays.stream(c.getDeclaredFields()))
                .filter(f -> f.getType() == type && Modifier.isStatic(f.getModifiers()))
                .map(f -> type.cast(value(f)))
                .toList();
    }

    static Optional<Method> method(Class<?> owner, String name) {
        return Arrays.stream(owner.getDeclaredMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst();
    }

    static Object invoke(Method method, Object... arguments) {
        try {
            return method.invoke(null, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(method + ": " + e.getCause(), e);
        }
    }

    private static Object value(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<Class<?>> all() {
        return HEADERS.stream().map(Class::getPackageName).flatMap(Classes::allOf);
    }

    private static Stream<Class<?>> allOf(String packageName) {
        String folder = packageName.replace('.', '/');
        try (Stream<Path> files = Files.list(location(Errno.class).resolve(folder))) {
            return files
                    .map(f -> f.getFileName().toString())
                    .filter(n -> n.endsWith(".class") && !n.contains("$") && !n.contains("-info"))
                    .sorted()
                    .<Class<?>>map(
                            n -> load(packageName, n.substring(0, n.length() - ".class".length())))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The folder that a class was loaded from. */
    static Path location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> load(String packageName, String name) {
        try {
            return Class.forName(packageName + "." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
