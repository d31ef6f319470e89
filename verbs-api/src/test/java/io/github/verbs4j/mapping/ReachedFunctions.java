package io.github.verbs4j.mapping;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which C functions a method can reach, from the class files: calls are followed, to every method
 * that may override the one that is named, and so are the lambdas and method references that are
 * made on the way. The raw layer's methods have the names of the C functions.
 *
 * <p>It finds too much rather than too little: that a function is not reached is certain.
 */
final class ReachedFunctions {

    private static final String FFI = "io/github/verbs4j/ffi/";

    /** Calls through a pointer, by who makes them and the method that does it. */
    private static final Map<String, Set<String>> BY_POINTER =
            Map.of(
                    "SendQueue.postSend", Set.of("ibv_post_send"),
                    "ReceiveQueue.postRecv",
                            Set.of("ibv_post_recv", "ibv_post_srq_recv", "ibv_post_wq_recv"),
                    "CompletionQueue.pollCq", Set.of("ibv_poll_cq"),
                    "CompletionQueue.reqNotifyCq", Set.of("ibv_req_notify_cq"),
                    "CompletionChannel.ackCqEvent", Set.of("ibv_ack_cq_events"));

    private record Method(String owner, String name, String type) {

        static Method of(ClassModel owner, MethodModel method) {
            return new Method(
                    owner.thisClass().asInternalName(),
                    method.methodName().stringValue(),
                    method.methodType().stringValue());
        }
    }

    private final Map<String, ClassModel> classes = new TreeMap<>();
    private final Map<String, List<ClassModel>> below = new HashMap<>();
    private final Map<Method, Set<Method>> calls = new HashMap<>();
    private final Map<TypedMethods.Method, Set<String>> reached = new HashMap<>();

    ReachedFunctions(Path root) throws IOException {
        for (String module : List.of("verbs-api", "verbs-ffi")) {
            try (Stream<Path> all = Files.walk(root.resolve(module).resolve("target/classes"))) {
                for (Path file : all.filter(f -> f.toString().endsWith(".class")).toList()) {
                    ClassModel model = ClassFile.of().parse(file);
                    classes.put(model.thisClass().asInternalName(), model);
                }
            }
        }
        for (ClassModel model : classes.values()) {
            List<ClassEntry> parents = new ArrayList<>(model.interfaces());
            model.superclass().ifPresent(parents::add);
            for (ClassEntry parent : parents) {
                below.computeIfAbsent(parent.asInternalName(), _ -> new ArrayList<>()).add(model);
            }
        }
    }

    /**
     * Tells whether a method reaches a function, or does what an inline function of librdmacm is
     * made of.
     */
    boolean reaches(TypedMethods.Method method, String function) {
        Set<String> found = reached.computeIfAbsent(method, each -> from(each.type(), each.name()));
        return found.contains(function)
                || function.startsWith("rdma_") && !Collections.disjoint(found, parts(function));
    }

    /** The functions of libibverbs that the raw layer makes an inline function of. */
    private Set<String> parts(String function) {
        List<ClassModel> raw =
                classes.values().stream()
                        .filter(each -> each.thisClass().asInternalName().startsWith(FFI + "Rdma"))
                        .toList();
        Set<String> parts = reach(raw, function::equals);
        parts.removeIf(name -> !name.startsWith("ibv_"));
        return parts;
    }

    private Set<String> from(String type, String method) {
        String wanted = method.equals(type) ? "<init>" : method;
        // A batch only records what the method that ends it replays.
        String replay = type.equals("SendBatch") ? "complete" : wanted;
        return reach(partsOf(type), name -> name.equals(wanted) || name.equals(replay));
    }

    /** The class, the nested ones, and the hidden classes above it. */
    private List<ClassModel> partsOf(String simpleName) {
        List<ClassModel> parts = new ArrayList<>();
        classes.forEach(
                (name, model) -> {
                    String last = simpleName(name);
                    if (!name.startsWith(FFI)
                            && (last.equals(simpleName) || last.startsWith(simpleName + "$"))) {
                        for (ClassModel each = model; each != null; each = above(each)) {
                            parts.add(each);
                        }
                    }
                });
        return parts;
    }

    private static String simpleName(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private ClassModel above(ClassModel model) {
        return model.superclass().map(up -> classes.get(up.asInternalName())).orElse(null);
    }

    private Set<String> reach(List<ClassModel> within, Predicate<String> begin) {
        Deque<Method> open = new ArrayDeque<>();
        for (ClassModel model : within) {
            model.methods().stream()
                    .map(each -> Method.of(model, each))
                    .filter(each -> begin.test(each.name))
                    .forEach(open::add);
        }
        Set<Method> seen = new HashSet<>(open);
        Set<String> functions = new TreeSet<>();
        while (!open.isEmpty()) {
            Method method = open.remove();
            for (Method called : calls.computeIfAbsent(method, this::read)) {
                functions.add(called.name);
                if (called.owner.endsWith("/DataPath")) {
                    String by = simpleName(method.owner) + "." + called.name;
                    functions.addAll(BY_POINTER.getOrDefault(by, Set.of()));
                }
                if (seen.add(called)) {
                    open.add(called);
                }
            }
        }
        return functions;
    }

    /** The methods that a method calls or makes a lambda of, and those that override them. */
    private Set<Method> read(Method caller) {
        Set<Method> called = new HashSet<>();
        ClassModel owner = classes.get(caller.owner);
        code(owner, caller::equals).forEach(element -> note(element, called));
        if (caller.name.equals("close") && !caller.owner.startsWith(FFI)) {
            addDestroyers(simpleName(caller.owner), called);
        }
        return called;
    }

    /** What closes an object was given to its handle when that was made. */
    private void addDestroyers(String type, Set<Method> called) {
        partsOf(type).stream()
                .flatMap(each -> code(each, _ -> true))
                .filter(
                        each ->
                                each instanceof InvokeDynamicInstruction made
                                        && made.typeSymbol()
                                                .returnType()
                                                .displayName()
                                                .endsWith("Destroyer"))
                .forEach(made -> note(made, called));
    }

    private static Stream<CodeElement> code(ClassModel model, Predicate<Method> wanted) {
        return model.methods().stream()
                .filter(each -> wanted.test(Method.of(model, each)))
                .flatMap(each -> each.code().stream())
                .flatMap(code -> code.elementStream());
    }

    private void note(CodeElement element, Set<Method> called) {
        switch (element) {
            case InvokeInstruction call -> {
                String owner = call.owner().asInternalName();
                resolve(owner, call.name().stringValue(), call.type().stringValue(), called);
            }
            case InvokeDynamicInstruction made -> {
                for (Object argument : made.bootstrapArgs()) {
                    if (argument instanceof DirectMethodHandleDesc target) {
                        String owner = target.owner().descriptorString().replaceAll("^L|;$", "");
                        resolve(owner, target.methodName(), target.lookupDescriptor(), called);
                    }
                }
            }
            default -> {}
        }
    }

    private void resolve(String owner, String name, String type, Set<Method> called) {
        for (ClassModel each = classes.get(owner); each != null; each = above(each)) {
            called.add(new Method(each.thisClass().asInternalName(), name, type));
        }
        if (!name.equals("<init>")) {
            addBelow(owner, name, type, called);
        }
    }

    private void addBelow(String owner, String name, String type, Set<Method> called) {
        for (ClassModel each : below.getOrDefault(owner, List.of())) {
            String lower = each.thisClass().asInternalName();
            called.add(new Method(lower, name, type));
            addBelow(lower, name, type, called);
        }
    }
}
