package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How a function is tested. On a device: a member of a device test calls the method, or names the
 * type of what is closed in the end; and the device does not lack the function. Marshalling: the
 * stand-in of the tests has the function, so a test of its topic has seen its fields.
 */
final class Evidence {

    /** Names that several types have: they count where the type is named, too. */
    private static final Set<String> COMMON =
            Set.of(
                    "close", "create", "modify", "query", "read", "set", "setErr", "attach", "init",
                    "index", "poll", "write", "connect", "accept");

    /** Functions that a provider, and so the stand-in, calls otherwise. */
    private static final Map<String, String> OTHERWISE =
            Map.of("query_rt_values_ex", "query_rt_values");

    /** A blank line before the next member of a class: those inside members are indented more. */
    private static final String NEXT_MEMBER = "\n\n(?= {4}\\S)";

    /** Something that runs on a device: a test, or what tests share. */
    private record Member(String device, String source, String types) {

        boolean uses(TypedMethods.Method method) {
            if (method.name().equals("close")) {
                return names(method.type(), source);
            }
            if (COMMON.contains(method.name()) && !names(method.type(), types)) {
                return false;
            }
            return source.contains("." + method.name() + "(")
                    || source.contains("::" + method.name());
        }

        private static boolean names(String type, String text) {
            return Pattern.compile("\\b(?:Test)?" + type + "\\b").matcher(text).find();
        }
    }

    private final List<Member> members = new ArrayList<>();
    private final StringBuilder standIn = new StringBuilder();
    private final Map<String, Set<String>> refusals;

    Evidence(Path verbsApi, Map<String, Set<String>> refusals) throws IOException {
        this.refusals = refusals;
        try (Stream<Path> files = Files.walk(verbsApi.resolve("src/test"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith("DeviceTest.java") && !name.startsWith("Unsupported")) {
                    readTest(Files.readString(file));
                } else if (name.endsWith(".c")) {
                    standIn.append(Files.readString(file));
                }
            }
        }
    }

    private void readTest(String source) {
        String code = source.substring(source.indexOf("\n@RequiresDevice") + 1);
        boolean allOfSiw = code.startsWith("@RequiresDevice(TestDevice.Kind.SIW)");
        for (String member : code.split(NEXT_MEMBER)) {
            boolean both = member.contains("value = Kind.class") || member.contains("Kind kind");
            boolean ofSiw = allOfSiw || member.contains("Kind.SIW");
            if (ofSiw || both) {
                // Its own words only: the fields of the class are for the other device.
                members.add(new Member("siw", member, member.replace("TestDevice", "")));
            }
            if (!ofSiw || both) {
                members.add(new Member("rxe", member, code));
            }
        }
    }

    /** {@return what each device lacks} */
    static Map<String, Set<String>> readRefusals(Path file) throws IOException {
        Map<String, Set<String>> result = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("#")) {
                int colon = line.indexOf(": ");
                List<String> names = List.of(line.substring(colon + 2).split(" "));
                result.computeIfAbsent(line.substring(0, colon), _ -> new TreeSet<>())
                        .addAll(names);
            }
        }
        return result;
    }

    /** {@return where the function is tested, possibly nowhere} */
    Set<String> of(String function, Set<TypedMethods.Method> methods) {
        Set<String> found = new LinkedHashSet<>();
        for (String device : List.of("rxe", "siw")) {
            if (refusals.get(device).contains(function)) {
                found.add(device + " refuses");
            } else if (members.stream()
                    .filter(member -> member.device().equals(device))
                    .anyMatch(member -> methods.stream().anyMatch(member::uses))) {
                found.add(device);
            }
        }
        if (isInStandIn(function)) {
            found.add("marshalling");
        }
        return found;
    }

    private boolean isInStandIn(String function) {
        String operation = function.replaceFirst("^(ibv|mlx5dv)_", "");
        operation = OTHERWISE.getOrDefault(operation, operation);
        return Pattern.compile(
                        "\\b_?(?:ibv_|mlx5dv_)?" + operation + "\\)?\\((?:struct|int|void|const)")
                .matcher(standIn)
                .find();
    }
}
