package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.AhAttr;
import io.github.verbs4j.types.DmahInitAttr;
import io.github.verbs4j.types.Gid;
import io.github.verbs4j.types.GidEntry;
import io.github.verbs4j.types.GidType;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpRateLimit;
import io.github.verbs4j.types.QpType;
import java.lang.foreign.Arena;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Null goes nowhere near C, and the exception says which argument it was. */
@Marshalling
class NullArgumentsMarshallingTest {

    /** Where null means something, as the Javadoc says: type, method, position. */
    private static final Set<String> MAY_BE_NULL =
            Set.of(
                    "MemoryRegion.reregMr 2",
                    "Context.allocParentDomain 1",
                    "Context.allocUnprotectedParentDomain 1",
                    "QpInitAttr.srq 0",
                    "QpInitAttrEx.srq 0",
                    "CqInitAttr.channel 0",
                    "CqInitAttrEx.channel 0",
                    "CqInitAttrEx.parentDomain 0",
                    "AhAttr.grh 0");

    /** Where another of the sample arguments is refused before. */
    private static final Set<String> REFUSED_BEFORE =
            Set.of(
                    "Context.initAhFromWc 3",
                    "ProtectionDomain.createAhFromWc 2",
                    "SharedReceiveQueue.postOps 0");

    private final List<Object> samples = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private int checked;

    @Test
    @DisplayName("R null is refused by every call, by the name of the argument")
    void everyCall(StandIn c) throws Exception {
        try (Context context = c.open();
                Arena arena = Arena.ofShared()) {
            ProtectionDomain pd = context.allocPd();
            CompletionQueue cq = context.createCq(16);
            MemoryRegion mr = pd.allocateMr(4096, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
            QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
            samples.addAll(
                    List.of(
                            context,
                            pd,
                            cq,
                            mr,
                            qp,
                            context.allocTd(),
                            pd.allocMw(MwType.TYPE_1),
                            context.allocDm(64, 0),
                            pd.createSrq(new SrqInitAttr(4)),
                            pd.allocBuf(64),
                            context.allocDmah(new DmahInitAttr()),
                            context.openXrcd(),
                            new QpInitAttr(QpType.RC, cq),
                            new QpInitAttrEx(QpType.RC, cq),
                            new SrqInitAttr(4),
                            new CqInitAttr(4),
                            new CqInitAttrEx(4),
                            new MwBind(mr, AccessFlag.REMOTE_READ)));
            samples.addAll(
                    List.of(
                            arena.allocate(64),
                            new WcArray(1),
                            new SendWr(1),
                            new SendWrArray(1, 1),
                            new RecvWr(1),
                            new RecvWrArray(1, 1),
                            new AhAttr().portNum(1),
                            new QpAttr(),
                            new QpRateLimit(0, 0, 0),
                            new GidEntry(
                                    Gid.parse("fe80::1"),
                                    0,
                                    1,
                                    GidType.ROCE_V2,
                                    1,
                                    Optional.empty()),
                            MrInitAttr.of(arena.allocate(64)),
                            mr.remote(),
                            Duration.ZERO,
                            Path.of("/dev/null")));
            for (Object object : List.copyOf(samples)) {
                if (object.getClass().getPackageName().startsWith("io.github.verbs4j")) {
                    check(object);
                }
            }
        }
        assertEquals(List.of(), faults, () -> String.join("\n", faults));
        assertTrue(checked > 80, checked + " arguments");
    }

    private void check(Object object) throws Exception {
        for (Method method : object.getClass().getMethods()) {
            if (method.getDeclaringClass().getPackageName().startsWith("io.github.verbs4j")
                    && !method.getName().equals("equals")) {
                Object target = Modifier.isStatic(method.getModifiers()) ? null : object;
                check(object.getClass(), method, arguments -> method.invoke(target, arguments));
            }
        }
        for (Constructor<?> constructor : object.getClass().getConstructors()) {
            check(object.getClass(), constructor, constructor::newInstance);
        }
    }

    private interface Call {
        Object with(Object[] arguments) throws ReflectiveOperationException;
    }

    private void check(Class<?> type, Executable executable, Call call) throws Exception {
        Class<?>[] types = executable.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            String name = type.getSimpleName();
            String where =
                    (executable instanceof Method m ? name + "." + m.getName() : name) + " " + i;
            Object[] arguments = arguments(types, i);
            if (types[i].isPrimitive() || arguments == null) {
                continue;
            }
            if (MAY_BE_NULL.contains(where) || REFUSED_BEFORE.contains(where)) {
                continue;
            }
            checked++;
            try {
                call.with(arguments);
                faults.add(where + " of " + types[i].getSimpleName() + ": accepted");
            } catch (InvocationTargetException e) {
                Throwable thrown = e.getCause();
                if (!isNamed(thrown)) {
                    faults.add(where + " of " + types[i].getSimpleName() + ": " + thrown);
                }
            }
        }
    }

    /** By this library, or by the JVM in code of this library: its message names the variable. */
    private static boolean isNamed(Throwable thrown) {
        String message = thrown.getMessage();
        return thrown instanceof NullPointerException
                && message != null
                && !message.contains("\"<")
                && (!message.startsWith("Cannot ")
                        || thrown.getStackTrace()[0].getClassName().startsWith("io.github."));
    }

    /** Good values but for one; null when a type has none here. */
    private Object[] arguments(Class<?>[] types, int missing) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (i == missing) {
                continue;
            }
            arguments[i] = sample(types[i]);
            if (arguments[i] == null) {
                return null;
            }
        }
        return arguments;
    }

    private Object sample(Class<?> type) {
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == boolean.class) {
            return true;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        for (Object sample : samples) {
            if (type.isInstance(sample)) {
                return sample;
            }
        }
        return null;
    }
}
