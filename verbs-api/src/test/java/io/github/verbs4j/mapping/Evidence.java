package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How a function is tested. On a device: a device test names the Java type and calls the method, or
 * closes the object. Marshalling: the stand-in of the tests has the function, so a test of its
 * topic has seen its fields.
 */
final class Evidence {

    /** Names that several types have: they count where the type is named, too. */
    private static final Set<String> COMMON =
            Set.of(
                    "close", "create", "modify", "query", "read", "set", "setErr", "attach", "init",
                    "index", "poll");

    private record TestClass(String name, String source) {

        boolean uses(TypedMethods.Method method) {
            if (name.startsWith("Unsupported")) {
                return false;
            }
            if (COMMON.contains(method.name()) && !source.contains(method.type())) {
                return false;
            }
            return method.name().equals("close")
                    || source.contains("." + method.name() + "(")
                    || source.contains("::" + method.name());
        }

        boolean isOfSiw() {
            return source.contains("Kind.SIW");
        }

        boolean isOfRxe() {
            return source.contains("@RequiresDevice\n") || source.contains("Kind.RXE");
        }

        /** Tests that a device lacks things name the functions. */
        boolean seesRefusalOf(String function) {
            return name.startsWith("Unsupported") && source.contains('"' + function + '"');
        }
    }

    private final List<TestClass> deviceTests = new ArrayList<>();
    private final StringBuilder standIn = new StringBuilder();

    Evidence(Path verbsApi) throws IOException {
        try (Stream<Path> files = Files.walk(verbsApi.resolve("src/test"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith("DeviceTest.java")) {
                    deviceTests.add(new TestClass(name, Files.readString(file)));
                } else if (name.endsWith(".c")) {
                    standIn.append(Files.readString(file));
                }
            }
        }
    }

    /** {@return where the function is tested, possibly nowhere} */
    Set<String> of(String function, Set<TypedMethods.Method> methods) {
        Set<String> found = new LinkedHashSet<>();
        boolean refused = deviceTests.stream().anyMatch(test -> test.seesRefusalOf(function));
        for (TestClass test : deviceTests) {
            if (!refused && methods.stream().anyMatch(test::uses)) {
                if (test.isOfRxe()) {
                    found.add("rxe");
                }
                if (test.isOfSiw()) {
                    found.add("siw");
                }
            }
        }
        if (refused) {
            found.add("rxe refuses");
        }
        if (isInStandIn(function)) {
            found.add("marshalling");
        }
        Set<String> sorted =
                new LinkedHashSet<>(List.of("rxe", "rxe refuses", "siw", "marshalling"));
        sorted.retainAll(found);
        return sorted;
    }

    private boolean isInStandIn(String function) {
        String operation = function.replaceFirst("^(ibv|mlx5dv)_", "");
        return Pattern.compile(
                        "\\b_?(?:ibv_|mlx5dv_)?" + operation + "\\)?\\((?:struct|int|void|const)")
                .matcher(standIn)
                .find();
    }
}
