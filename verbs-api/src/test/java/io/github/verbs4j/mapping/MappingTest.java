package io.github.verbs4j.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps docs/mapping.md true; {@code -Dverbs4j.mapping.write=true} writes it anew. */
class MappingTest {

    private static final String REMEDY = "run scripts/generate-mapping";

    private final Mapping mapping = read();

    private static Mapping read() {
        try {
            Mapping mapping = new Mapping();
            if (Boolean.getBoolean("verbs4j.mapping.write")) {
                mapping.write();
                return new Mapping();
            }
            return mapping;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theDocumentSaysWhatTheCodeSays() throws IOException {
        assertEquals(mapping.render(), Files.readString(mapping.document()), REMEDY);
    }

    @Test
    void everyFunctionHasAMethodOrAReason() {
        assertEquals(List.of(), mapping.missing(), "functions without a method of the typed API");
    }

    @Test
    void noReasonIsObsolete() {
        assertEquals(List.of(), mapping.obsoleteExceptions(), REMEDY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rxe", "siw"})
    void noRowSaysTestedOnADeviceThatLacksTheFunction(String device) throws IOException {
        List<String> rows = Files.readAllLines(mapping.document());
        for (String function : mapping.refusals().get(device)) {
            List<String> column =
                    rows.stream()
                            .filter(row -> row.startsWith("| `" + function + "` |"))
                            .map(row -> row.substring(row.lastIndexOf('|', row.length() - 2)))
                            .toList();
            assertEquals(1, column.size(), function);
            List<String> says = List.of(column.get(0).replace("|", "").strip().split(", "));
            assertFalse(says.contains(device), () -> function + ": " + says);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ibv_reg_mr, 'rxe, siw, marshalling'",
        "ibv_start_poll, 'rxe, siw refuses'",
        "ibv_modify_cq, 'rxe refuses, siw refuses, marshalling'",
        "ibv_query_rt_values_ex, 'rxe refuses, marshalling'"
    })
    void aRowSaysWhereTheFunctionIsTested(String function, String tested) {
        List<String> row =
                mapping.render()
                        .lines()
                        .filter(line -> line.startsWith("| `" + function + "` |"))
                        .toList();
        assertEquals(1, row.size());
        assertTrue(row.get(0).endsWith("| " + tested + " |"), row::toString);
    }

    @Test
    void everyTagNamesAFunction() {
        assertEquals(List.of(), mapping.unknownCalls());
    }

    @Test
    void everyMethodReachesTheFunctionsThatItsTagNames() throws IOException {
        assertEquals(List.of(), mapping.unreached());
    }

    @ParameterizedTest
    @CsvSource({
        "infiniband/verbs.h, 150",
        "rdma/rdma_cma.h, 35",
        "rdma/rdma_verbs.h, 15",
        "rdma/rsocket.h, 27"
    })
    void everyFunctionOfTheInstalledHeadersHasARow(String name, int atLeast) throws IOException {
        Optional<Path> header = InstalledHeader.find(name);
        assumeTrue(
                header.isPresent(), "needs " + name + ": apt install libibverbs-dev librdmacm-dev");
        Set<String> declared = new TreeSet<>(InstalledHeader.functions(header.get()));
        assertTrue(declared.size() >= atLeast, declared::toString);
        // Only for programs that link libibverbs statically.
        declared.remove("ibv_static_providers");
        declared.removeAll(mapping.functions());
        assertEquals(Set.of(), declared);
    }
}
