package io.github.verbs4j.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of docs/mapping.md: function of C, method of Java, how it is tested. */
final class Mapping {

    private static final String RESOURCES = "src/test/resources/io/github/verbs4j/mapping/";
    private static final String EXCEPTIONS = RESOURCES + "exceptions.txt";
    private static final String REFUSALS = RESOURCES + "refusals.txt";

    private final Path root;
    private final Map<String, String> functions;
    private final Map<String, TreeSet<TypedMethods.Method>> methods;
    private final Map<String, String> exceptions;
    private final Map<String, Set<String>> refusals;
    private final Evidence evidence;

    Mapping() throws IOException {
        root = root();
        Path api = root.resolve("verbs-api");
        functions = RawFunctions.read(root.resolve("verbs-ffi"));
        methods = TypedMethods.read(api);
        exceptions = readExceptions(api.resolve(EXCEPTIONS));
        refusals = Evidence.readRefusals(api.resolve(REFUSALS));
        evidence = new Evidence(api, refusals);
    }

    /** {@return the root of the project} */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("verbs-ffi"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static Map<String, String> readExceptions(Path file) throws IOException {
        Map<String, String> reasons = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int colon = line.indexOf(": ");
                reasons.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        return reasons;
    }

    Path document() {
        return root.resolve("docs/mapping.md");
    }

    /** {@return the functions that have a row} */
    Set<String> functions() {
        return functions.keySet();
    }

    /** {@return functions that no method calls and no exception explains} */
    List<String> missing() {
        return functions.keySet().stream()
                .filter(name -> !methods.containsKey(name) && !exceptions.containsKey(name))
                .toList();
    }

    /** {@return exceptions that a method has made wrong, or that name no function} */
    List<String> obsoleteExceptions() {
        return exceptions.keySet().stream()
                .filter(name -> methods.containsKey(name) || !functions.containsKey(name))
                .toList();
    }

    /** {@return names in tags that are no function} */
    List<String> unknownCalls() {
        return methods.entrySet().stream()
                .filter(entry -> !functions.containsKey(entry.getKey()))
                .map(entry -> entry.getKey() + " of " + entry.getValue())
                .toList();
    }

    /** {@return what tags say that the class files do not} */
    List<String> unreached() throws IOException {
        ReachedFunctions reached = new ReachedFunctions(root);
        List<String> wrong = new ArrayList<>();
        methods.forEach(
                (function, callers) ->
                        callers.stream()
                                .filter(each -> !reached.reaches(each, function))
                                .forEach(each -> wrong.add(each + " never calls " + function)));
        return wrong;
    }

    String render() {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                # From C to Java

                Made by `scripts/generate-mapping` from the source: the functions that the raw layer binds, the methods whose
                Javadoc says `@verbs.calls`, and the tests. Tested on: **rxe** and **siw**, the software devices, where a device test
                calls one of the methods; **marshalling**, a stand-in for libibverbs that checks every field, for what no software
                device can do. *Refuses*: the device lacks the function, or what it works on.

                """);
        table(text, "verbs.h", "ibv_");
        table(text, "rdma_cma.h and rdma_verbs.h", "rdma_");
        table(text, "rsocket.h", "r(?!dma_)");
        table(text, "mlx5dv.h: the dynamically connected transport", "mlx5dv_");
        return text.toString().stripTrailing() + "\n";
    }

    private void table(StringBuilder text, String header, String prefix) {
        Pattern begins = Pattern.compile(prefix);
        text.append("## ").append(header).append("\n\n");
        text.append("| function | in C | Java | tested |\n|---|---|---|---|\n");
        for (Map.Entry<String, String> function : functions.entrySet()) {
            if (begins.matcher(function.getKey()).lookingAt()) {
                text.append(row(function.getKey(), function.getValue())).append('\n');
            }
        }
        text.append('\n');
    }

    private String row(String function, String kind) {
        TreeSet<TypedMethods.Method> callers = methods.get(function);
        String java;
        String tested;
        if (callers == null) {
            java = exceptions.getOrDefault(function, "–");
            tested = "";
        } else {
            java =
                    callers.stream()
                            .map(method -> "`" + method + "`")
                            .collect(Collectors.joining(", "));
            tested = String.join(", ", evidence.of(function, callers));
        }
        return "| `" + function + "` | " + kind + " | " + java + " | " + tested + " |";
    }

    /** {@return functions by the device that lacks them} */
    Map<String, Set<String>> refusals() {
        return refusals;
    }

    /** Writes the document, and takes exceptions out that are obsolete. */
    void write() throws IOException {
        Path file = root.resolve("verbs-api").resolve(EXCEPTIONS);
        List<String> kept = new ArrayList<>(Files.readAllLines(file));
        List<String> obsolete = obsoleteExceptions();
        kept.removeIf(line -> obsolete.stream().anyMatch(name -> line.startsWith(name + ": ")));
        Files.write(file, kept);
        Files.writeString(document(), render());
    }
}
