package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.ForkStatus;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RtValues;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Marshalling
class DomainsMarshallingTest {

    @Test
    @DisplayName("a parent domain is made over a domain, with a thread domain, without callbacks")
    void parentDomain(StandIn c) {
        try (Context context = c.open();
                CompletionQueue cq = context.createCq(16)) {
            ProtectionDomain pd = context.allocPd();
            ThreadDomain td = context.allocTd();
            assertEquals("alloc_td(comp_mask=0)", c.call("alloc_td"));
            ParentDomain parent = context.allocParentDomain(pd, td);
            assertEquals(
                    "alloc_parent_domain(pd=%s, td=%s, comp_mask=0, callbacks=none, pd_context=NULL)"
                            .formatted(c.name(pd.handle()), c.name(td.handle())),
                    c.call("alloc_parent_domain"));
            assertSame(pd, parent.pd());
            assertSame(td, parent.td());
            assertSame(context, td.context());

            QueuePair qp = parent.createQp(new QpInitAttr(QpType.RC, cq));
            assertTrue(
                    c.call("create_qp").contains("pd=" + c.name(parent.handle()) + ","),
                    c.call("create_qp"));
            String parentName = c.name(parent.handle());
            String tdName = c.name(td.handle());
            td.close();
            assertFalse(qp.isOpen() || parent.isOpen() || td.isOpen());
            assertTrue(pd.isOpen());
            assertEquals("dealloc_pd(" + parentName + ")", c.call("dealloc_pd"));
            assertEquals("dealloc_td(" + tdName + ")", c.call("dealloc_td"));
            assertThrows(IllegalStateException.class, () -> context.allocParentDomain(pd, td));
        }
    }

    @Test
    @DisplayName("a parent domain without a thread domain closes with the domain it is over")
    void parentDomainWithoutThreads(StandIn c) {
        try (Context context = c.open()) {
            ProtectionDomain pd = context.allocPd();
            ParentDomain parent = context.allocParentDomain(pd, null);
            assertTrue(c.call("alloc_parent_domain").contains("td=NULL"));
            pd.close();
            assertFalse(parent.isOpen());
            try (Context other = c.open()) {
                ThreadDomain foreign = other.allocTd();
                ProtectionDomain own = context.allocPd();
                assertThrows(
                        IllegalArgumentException.class,
                        () -> context.allocParentDomain(own, foreign));
            }
            c.fail("alloc_td", Errno.ENOMEM);
            c.fail("alloc_parent_domain", Errno.EOPNOTSUPP);
            ProtectionDomain own = context.allocPd();
            assertThrows(VerbsException.class, context::allocTd);
            assertThrows(
                    UnsupportedVerbException.class, () -> context.allocParentDomain(own, null));
        }
    }

    @Test
    @DisplayName("the device's clock is asked for and read back")
    void clock(StandIn c) {
        try (Context context = c.open()) {
            c.answer("tv_sec", 3);
            c.answer("tv_nsec", 0x1234_5678_9abc_def0L);
            assertEquals(new RtValues(3, 0x1234_5678_9abc_def0L), context.queryRtValuesEx());
            assertEquals("query_rt_values(comp_mask=0x1)", c.call("query_rt_values"));
            c.fail("query_rt_values", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, context::queryRtValuesEx);
        }
    }

    @Test
    @DisplayName("partition keys go to C in network order")
    void pkey(StandIn c) {
        try (Context context = c.open()) {
            c.answer("pkey_index", 9);
            assertEquals(OptionalInt.of(9), context.getPkeyIndex(1, 0x8123));
            assertEquals("get_pkey_index(port_num=1, pkey=8123)", c.call("get_pkey_index"));
            assertThrows(IllegalArgumentException.class, () -> context.getPkeyIndex(1, 0x10000));
        }
    }

    @Test
    @DisplayName("a device has the kernel's number, or none")
    void index(StandIn c) {
        Device device = Device.named("standin0");
        assertEquals(OptionalInt.empty(), device.index());
        c.answer("device_index", 12);
        assertEquals(OptionalInt.of(12), device.index());
        Device gone =
                new Device(
                        "gone0",
                        device.devName(),
                        device.guid(),
                        device.nodeType(),
                        device.transportType(),
                        device.sysfsPath());
        assertEquals(Errno.ENODEV, assertThrows(VerbsException.class, gone::index).errno());
    }

    @Test
    @DisplayName("a port's speed is 64 bits")
    void portSpeed(StandIn c) {
        try (Context context = c.open()) {
            c.answer("port_speed", 0x1_0000_0004L);
            assertEquals(0x1_0000_0004L, context.queryPortSpeed(1));
            assertEquals("query_port_speed(port_num=1)", c.call("query_port_speed"));
            c.fail("query_port_speed", Errno.EOPNOTSUPP);
            assertThrows(UnsupportedVerbException.class, () -> context.queryPortSpeed(1));
        }
    }

    @Test
    @DisplayName("FK-01 every fork status is told, and a late init fails where it was needed")
    void fork(StandIn c) {
        for (ForkStatus status : List.of(ForkStatus.values()).subList(0, 3)) {
            c.answer("fork_status", status.value());
            assertEquals(status, Fork.status());
        }
        c.fail("fork_init", Errno.EINVAL);
        Fork.init(); // unneeded, so it is never too late
        c.answer("fork_status", ForkStatus.DISABLED.value());
        VerbsException e = assertThrows(VerbsException.class, Fork::init);
        assertTrue(e.getMessage().contains("registered already"), e.getMessage());
        c.answer("fork_status", 77);
        assertEquals(ForkStatus.UNRECOGNIZED, Fork.status());
    }

    @Test
    @DisplayName("an import that fails leaves nothing")
    void importFails(StandIn c) {
        c.fail("import_device", Errno.EBADF);
        assertEquals(
                Errno.EBADF,
                assertThrows(VerbsException.class, () -> Context.importDevice(3)).errno());
    }
}
