package io.github.verbs4j.ffi;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the generated layouts say of sizes and offsets, as expressions of C. */
final class LayoutFacts {

    /** Unions and structs that C knows only by a typedef. */
    private static final Set<String> TYPEDEFS =
            Set.of("__atomic_wide_counter", "fd_set", "pthread_cond_t", "pthread_mutex_t");

    /** Structs at whose end a newer rdma-core than the bound one has put more. */
    private static final Set<String> GROWS =
            Set.of("ibv_port_attr", "ibv_qp_ex", "mlx5dv_context", "mlx5dv_qp_ex");

    private static final MemoryLayout MUTEX = pthread_mutex_t.layout().withoutName();

    private final List<Fact> facts = new ArrayList<>();
    private final long growth;

    private LayoutFacts(long growth) {
        this.growth = growth;
    }

    /**
     * Lists the facts of all generated structs.
     *
     * @param growth how much longer a pthread_mutex_t is than in the generated layouts
     */
    static List<Fact> of(long growth) {
        LayoutFacts all = new LayoutFacts(growth);
        for (Class<?> struct : Classes.structs()) {
            // Inside a mutex the C libraries of two machines need not agree.
            if (growth == 0 || !struct.getSimpleName().startsWith("__pthread")) {
                all.addStruct(struct);
            }
        }
        return all.facts;
    }

    private void addStruct(Class<?> struct) {
        String name = struct.getSimpleName();
        GroupLayout layout = layout(struct);
        String keyword = layout instanceof UnionLayout ? "union " : "struct ";
        String type = TYPEDEFS.contains(name) ? name : keyword + name;
        // A verbs_context grows at its front: what holds is the distance to the ibv_context.
        String origin = name.equals("verbs_context") ? " - offsetof(" + type + ", context)" : "";
        long start = name.equals("verbs_context") ? -verbs_context.context$offset() : 0;
        String size = "sizeof(" + type + ")" + origin;
        facts.add(new Fact(size, start + grown(layout), GROWS.contains(name)));
        addFields(struct, type, origin, "", start);
    }

    /**
     * Adds the fields of a struct, or of an anonymous one inside it.
     *
     * @param path the members that lead to the anonymous struct, such as "wr.rdma.", or nothing
     * @param start how far from the origin it is
     */
    private void addFields(Class<?> struct, String type, String origin, String path, long start) {
        for (Method method : struct.getDeclaredMethods()) {
            if (!method.getName().endsWith("$offset")) {
                continue;
            }
            String field = method.getName().replace("$offset", "");
            String name = path + field;
            long offset = (long) Classes.invoke(method);
            long expected = start + offset + growth * mutexesBefore(layout(struct), offset);
            facts.add(new Fact("offsetof(" + type + ", " + name + ")" + origin, expected));
            addSize(struct, type, field, name);
            nested(struct, field).ifPresent(n -> addFields(n, type, origin, name + ".", expected));
        }
    }

    private void addSize(Class<?> struct, String type, String field, String name) {
        Method method = Classes.method(struct, field + "$layout").orElseThrow();
        MemoryLayout layout = (MemoryLayout) Classes.invoke(method);
        boolean insideMutex = growth != 0 && type.equals("pthread_mutex_t");
        // What is reserved shrinks when something is made of it.
        if (!insideMutex && !field.startsWith("reserved")) {
            facts.add(new Fact("sizeof(((" + type + " *)0)->" + name + ")", grown(layout)));
        }
    }

    private static Optional<Class<?>> nested(Class<?> struct, String field) {
        return Arrays.stream(struct.getDeclaredClasses())
                .filter(c -> c.getSimpleName().equals(field))
                .filter(c -> Classes.method(c, "layout").isPresent())
                .findFirst();
    }

    private static GroupLayout layout(Class<?> struct) {
        return (GroupLayout) Classes.invoke(Classes.method(struct, "layout").orElseThrow());
    }

    /** sizeof, where each mutex is longer by so much. */
    private long grown(MemoryLayout layout) {
        return layout.byteSize() + growth * mutexes(layout);
    }

    private static long mutexes(MemoryLayout layout) {
        if (layout.withoutName().equals(MUTEX)) {
            return 1;
        }
        return switch (layout) {
            case GroupLayout g -> g.memberLayouts().stream().mapToLong(LayoutFacts::mutexes).sum();
            case SequenceLayout s -> s.elementCount() * mutexes(s.elementLayout());
            default -> 0;
        };
    }

    private static long mutexesBefore(GroupLayout layout, long offset) {
        if (layout instanceof UnionLayout) {
            return 0;
        }
        long count = 0;
        long at = 0;
        for (MemoryLayout member : layout.memberLayouts()) {
            if (at >= offset) {
                break;
            }
            count += mutexes(member);
            at += member.byteSize();
        }
        return count;
    }
}
