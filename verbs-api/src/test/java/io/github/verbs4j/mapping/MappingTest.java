package io.github.verbs4j.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    @Test
    void everyTagNamesAFunction() {
        assertEquals(List.of(), mapping.unknownCalls());
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
