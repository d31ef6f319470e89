package io.github.verbs4j.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.mlx5.mlx5dv_qp_ex;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The hand-written signatures against the ones that jextract read from the headers. */
class ExportedFunctionsTest {

    @Test
    void everyGeneratedFunctionHasAPortOfTheSameSignature() {
        Map<String, List<Method>> ports =
                Classes.functions().stream().collect(Collectors.groupingBy(Method::getName));
        Set<String> wrong = new TreeSet<>();
        int count = 0;
        for (Class<?> header : Classes.HEADERS) {
            for (Method generated : header.getDeclaredMethods()) {
                String name = generated.getName();
                if (name.contains("$")
                        || name.startsWith("_")
                        || Classes.method(header, name + "$descriptor").isEmpty()) {
                    continue;
                }
                count++;
                if (ports.getOrDefault(name, List.of()).stream()
                        .noneMatch(p -> same(p, generated))) {
                    wrong.add(name);
                }
            }
        }
        int total = count;
        assertTrue(total > 120, () -> "found only " + total + " generated functions");
        assertTrue(wrong.isEmpty(), () -> "no port, or another signature: " + wrong);
    }

    @Test
    void contextOpsHaveTheGeneratedDescriptors() throws ReflectiveOperationException {
        List<ContextOp> ops = Classes.constants(ContextOp.class);
        assertTrue(ops.size() > 30, () -> "found only " + ops.size());
        for (ContextOp op : ops) {
            Class<?> generated =
                    Arrays.stream(verbs_context.class.getDeclaredClasses())
                            .filter(c -> c.getSimpleName().equals(op.name()))
                            .findFirst()
                            .orElseThrow();
            Object descriptor = generated.getMethod("descriptor").invoke(null);
            assertEquals(plain((FunctionDescriptor) descriptor), plain(op.descriptor()), op.name());
        }
    }

    @Test
    void settersOfMlx5HaveTheGeneratedDescriptors() {
        assertEquals(
                mlx5dv_qp_ex.wr_set_dc_addr.descriptor().toMethodType(),
                Mlx5WorkRequestSetters.WR_SET_DC_ADDR.type().dropParameterTypes(0, 1));
        assertEquals(
                mlx5dv_qp_ex.wr_set_dc_addr_stream.descriptor().toMethodType(),
                Mlx5WorkRequestSetters.WR_SET_DC_ADDR_STREAM.type().dropParameterTypes(0, 1));
    }

    @Test
    void everyFunctionIsExportedOrKnownToBeYounger() {
        List<NativeFunction> functions = Classes.constants(NativeFunction.class);
        assertTrue(functions.size() > 150, () -> "found only " + functions.size());
        List<String> unknown = new ArrayList<>();
        for (NativeFunction function : functions) {
            if (SymbolVersions.introducedIn(function.name()).isEmpty() && !isExported(function)) {
                unknown.add(function.name());
            }
        }
        assertTrue(unknown.isEmpty(), () -> "neither exported nor known: " + unknown);
    }

    private static boolean isExported(NativeFunction function) {
        String name = function.name();
        NativeLibrary library =
                name.startsWith("mlx5dv_")
                        ? NativeLibrary.MLX5
                        : name.contains("ibv_") ? NativeLibrary.IBVERBS : NativeLibrary.RDMACM;
        return NativeLibraryTest.ifInstalled(library).exports(name);
    }

    private static boolean same(Method a, Method b) {
        return a.getReturnType() == b.getReturnType()
                && Arrays.equals(a.getParameterTypes(), b.getParameterTypes());
    }

    private static List<MemoryLayout> plain(FunctionDescriptor descriptor) {
        List<MemoryLayout> layouts = new ArrayList<>(descriptor.argumentLayouts());
        descriptor.returnLayout().ifPresent(layouts::add);
        return layouts.stream().<MemoryLayout>map(MemoryLayout::withoutName).toList();
    }
}
