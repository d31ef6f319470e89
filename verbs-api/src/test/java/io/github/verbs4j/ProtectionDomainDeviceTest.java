package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.ffi.MemoryVerbs;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@RequiresDevice
class ProtectionDomainDeviceTest {

    private Context context;

    @BeforeEach
    void open() {
        context = TestDevice.get(TestDevice.Kind.ROCE).open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @DisplayName("PD-01 thousands of domains can be open at a time")
    void thousandsOfDomains() {
        List<ProtectionDomain> domains = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            domains.add(context.allocPd());
        }
        assertSame(context, domains.getLast().context());
        domains.forEach(ProtectionDomain::close);
        assertFalse(domains.getFirst().isOpen());
    }

    @Test
    @DisplayName("PD-02 closing a domain closes what uses it first")
    void closingADomainClosesItsUsers() {
        Assumptions.assumeTrue(context.queryDevice().maxMw() > 0);
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(8);
        MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
        MemoryWindow mw = pd.allocMw(MwType.TYPE_2);
        QueuePair qp = pd.createQp(new QpInitAttr(QpType.RC, cq));
        pd.close();
        assertFalse(qp.isOpen() || mw.isOpen() || mr.isOpen() || pd.isOpen());
        assertTrue(cq.isOpen());
        assertThrows(IllegalStateException.class, () -> mr.segment().get(JAVA_BYTE, 0));
    }

    @Test
    @DisplayName("PD-02 EBUSY by something this library did not make is reported; the rest goes on")
    void foreignUserIsEbusy() {
        try (Arena arena = Arena.ofConfined()) {
            ProtectionDomain pd = context.allocPd();
            MemoryRegion mr = pd.allocateMr(4096, LOCAL_WRITE);
            MemorySegment page = arena.allocate(4096, 4096);
            MemorySegment foreign = MemoryVerbs.ibv_reg_mr(pd.handle(), page, 4096, 0);
            assertTrue(foreign.address() != 0);
            VerbsException e = assertThrows(VerbsException.class, pd::close);
            assertEquals(Errno.EBUSY, e.errno());
            assertEquals("ibv_dealloc_pd", e.verb());
            assertFalse(mr.isOpen() || pd.isOpen());
            pd.close();
            assertEquals(0, MemoryVerbs.ibv_dereg_mr(foreign));
        }
    }

    @Test
    @DisplayName("PD-04 completion queues and channels of another context are refused")
    void foreignObjectsAreRefused() {
        try (Context other = context.device().open()) {
            ProtectionDomain pd = context.allocPd();
            CompletionQueue own = context.createCq(8);
            CompletionQueue foreign = other.createCq(8);
            List<Executable> calls =
                    List.of(
                            () -> pd.createQp(new QpInitAttr(QpType.RC, foreign)),
                            () -> pd.createQp(new QpInitAttr(QpType.RC, own, foreign)),
                            () ->
                                    context.createCq(
                                            new CqInitAttr(1).channel(other.createCompChannel())));
            for (Executable call : calls) {
                String message = assertThrows(IllegalArgumentException.class, call).getMessage();
                assertTrue(message.contains("another Context"), message);
            }
            assertTrue(own.isOpen() && foreign.isOpen());
        }
    }

    @Test
    @DisplayName("R a closed domain refuses every call, and may be closed again")
    void closedDomainRefusesEveryCall() {
        CompletionQueue cq = context.createCq(8);
        ProtectionDomain pd = context.allocPd();
        pd.close();
        pd.close();
        List<Executable> calls =
                List.of(
                        () -> pd.allocateMr(4096),
                        () -> pd.regMr(Arena.ofAuto().allocate(8)),
                        () -> pd.allocMw(MwType.TYPE_1),
                        () -> pd.createQp(new QpInitAttr(QpType.RC, cq)),
                        pd::handle);
        for (Executable call : calls) {
            String message = assertThrows(IllegalStateException.class, call).getMessage();
            assertTrue(message.contains("ProtectionDomain is closed"), message);
        }
    }

    @Test
    @DisplayName("R null arguments are refused")
    void nullIsRefused() {
        ProtectionDomain pd = context.allocPd();
        List<Executable> calls =
                List.of(
                        () -> pd.regMr(null),
                        () -> pd.regMr(Arena.ofAuto().allocate(8), (AccessFlag) null),
                        () -> pd.allocMw(null),
                        () -> pd.createQp(null),
                        () -> context.createCq(null));
        calls.forEach(call -> assertThrows(NullPointerException.class, call));
    }
}
