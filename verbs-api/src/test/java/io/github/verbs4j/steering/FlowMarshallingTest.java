package io.github.verbs4j.steering;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttr;
import io.github.verbs4j.QueuePair;
import io.github.verbs4j.testing.marshalling.Marshalling;
import io.github.verbs4j.testing.marshalling.StandIn;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Flows with every specification, ESP actions, counters: every field that C sees. */
@Marshalling
class FlowMarshallingTest {

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static QueuePair rawQp(Context context) {
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(16);
        return pd.createQp(new QpInitAttr(QpType.RAW_PACKET, cq));
    }

    @Test
    @DisplayName("the flow itself carries type, priority, port, flags and its length")
    void attributes(StandIn c) {
        try (Context context = c.open()) {
            QueuePair qp = rawQp(context);
            Flow.create(
                    qp,
                    new FlowAttr(FlowAttrType.MC_DEFAULT)
                            .priority(0xfedc)
                            .port(1)
                            .flags(FlowFlag.DONT_TRAP, FlowFlag.EGRESS));
            assertEquals(
                    "create_flow(%s, comp_mask=0, type=2, size=20, priority=65244, num_of_specs=0, port=1, flags=0x6)"
                            .formatted(c.name(qp.handle())),
                    c.call("create_flow"));
            assertEquals("end(behind=0)", c.call("end"));
        }
    }

    @Test
    @DisplayName("a filter of every kind arrives with C's size, order and network byte order")
    void everyFilter(StandIn c) throws Exception {
        try (Context context = c.open()) {
            QueuePair qp = rawQp(context);
            Inet4Address v4 = (Inet4Address) Inet4Address.getByName("10.1.2.3");
            Inet6Address v6 = (Inet6Address) Inet6Address.getByName("2001:db8::1");
            Flow.create(
                    qp,
                    new FlowAttr(FlowAttrType.NORMAL)
                            .spec(
                                    new EthSpec()
                                            .dstMac(bytes("010203040506"))
                                            .srcMac(bytes("0a0b0c0d0e0f"), bytes("ffffff000000"))
                                            .etherType(0x0800)
                                            .vlanTag(0x0123, 0x0fff),
                                    new Ipv4Spec().srcIp(v4).dstIp(v4, 20),
                                    new Ipv4ExtSpec()
                                            .dstIp(v4)
                                            .proto(17)
                                            .tos(0x88, 0xfc)
                                            .ttl(64)
                                            .flags(2),
                                    new Ipv6Spec()
                                            .srcIp(v6)
                                            .dstIp(v6, 33)
                                            .flowLabel(0x12345, 0xfffff)
                                            .nextHdr(6)
                                            .trafficClass(0x20)
                                            .hopLimit(255),
                                    new EspSpec().spi(0xdeadbeefL).seq(1, 0xffff),
                                    TcpUdpSpec.tcp().dstPort(443),
                                    TcpUdpSpec.udp().srcPort(4791).dstPort(0xc000, 0xf000),
                                    new TunnelSpec().tunnelId(0x123456, 0xffffff),
                                    new GreSpec()
                                            .flagsAndVersion(0x2000)
                                            .protocol(0x6558)
                                            .key(0x01020304),
                                    new MplsSpec().label(0x12345678)));
            String v6Bytes = "20010db8000000000000000000000001";
            assertEquals(
                    List.of(
                            "eth(type=0x20, size=40 of 40, val=0102030405060a0b0c00000008000123,"
                                    + " mask=ffffffffffffffffff000000ffff0fff)",
                            "ipv4(type=0x30, size=24 of 24, val=0a0102030a010000,"
                                    + " mask=fffffffffffff000)",
                            "ipv4_ext(type=0x32, size=32 of 32, val=000000000a01020311884002,"
                                    + " mask=00000000fffffffffffcffff)",
                            "ipv6(type=0x31, size=88 of 88, val="
                                    + v6Bytes
                                    + "20010db8000000000000000000000000000123450620ff00,"
                                    + " mask=ffffffffffffffffffffffffffffffffffffffff800000000000000000000000000fffffffffff00)",
                            "esp(type=0x34, size=24 of 24, val=deadbeef00000001,"
                                    + " mask=ffffffff0000ffff)",
                            "tcp_udp(type=0x40, size=16 of 16, val=01bb0000, mask=ffff0000)",
                            "tcp_udp(type=0x41, size=16 of 16, val=c00012b7, mask=f000ffff)",
                            "tunnel(type=0x50, size=16 of 16, val=00123456, mask=00ffffff)",
                            "gre(type=0x51, size=24 of 24, val=2000655801020304,"
                                    + " mask=ffffffffffffffff)",
                            "mpls(type=0x60, size=16 of 16, val=12345678, mask=ffffffff)"),
                    specs(c));
            assertEquals("end(behind=0)", c.call("end"));
        }
    }

    private static List<String> specs(StandIn c) {
        List<String> calls = c.calls();
        int flow = calls.indexOf(c.calls("create_flow").getLast());
        int end = calls.lastIndexOf("end(behind=0)");
        return calls.subList(flow + 1, end);
    }

    @Test
    @DisplayName("inner sets the bit that means the packet in a tunnel")
    void inner(StandIn c) {
        try (Context context = c.open()) {
            List<FilterSpec> inner =
                    List.of(
                            new EthSpec().inner(),
                            new Ipv4Spec().inner(),
                            new Ipv4ExtSpec().inner(),
                            new Ipv6Spec().inner(),
                            new EspSpec().inner(),
                            TcpUdpSpec.tcp().inner(),
                            new TunnelSpec().inner(),
                            new GreSpec().inner(),
                            new MplsSpec().inner());
            Flow.create(
                    rawQp(context),
                    new FlowAttr(FlowAttrType.NORMAL).spec(inner.toArray(FlowSpec[]::new)));
            for (String spec : specs(c)) {
                assertTrue(spec.contains("type=0x1"), spec);
                assertFalse(spec.contains("ff"), spec);
            }
            assertEquals(9, specs(c).size());
            assertTrue(inner.stream().allMatch(FilterSpec::isInner));
        }
    }

    @Test
    @DisplayName("every action arrives, behind filters of any length, with its object")
    void everyAction(StandIn c) {
        try (Context context = c.open()) {
            QueuePair qp = rawQp(context);
            Counters counters = Counters.create(context);
            FlowAction action = FlowAction.createEsp(context, new FlowActionEspAttr());
            Flow flow =
                    Flow.create(
                            qp,
                            new FlowAttr(FlowAttrType.NORMAL)
                                    .spec(
                                            TcpUdpSpec.udp(),
                                            new FlowSpec.ActionTag(0xabcdef),
                                            new FlowSpec.ActionDrop(),
                                            new FlowSpec.ActionHandle(action),
                                            new FlowSpec.ActionCount(counters)));
            assertEquals(
                    List.of(
                            "tag(size=12 of 12, tag_id=0xabcdef)",
                            "drop(size=8 of 8)",
                            "handle(size=16 of 16, action=" + c.name(action.handle()) + ")",
                            "count(size=16 of 16, counters=" + c.name(counters.handle()) + ")"),
                    specs(c).subList(1, 5));
            assertEquals("end(behind=0)", c.call("end"));
            counters.close();
            assertFalse(flow.isOpen());
            List<String> calls = c.calls();
            assertTrue(
                    calls.indexOf(c.call("destroy_flow"))
                            < calls.indexOf(c.call("destroy_counters")));
            assertThrows(
                    IllegalStateException.class,
                    () ->
                            Flow.create(
                                    qp,
                                    new FlowAttr(FlowAttrType.NORMAL)
                                            .spec(new FlowSpec.ActionCount(counters))));
        }
    }

    @Test
    @DisplayName("bad filters, ports and foreign objects never reach the device")
    void refusals(StandIn c) {
        try (Context context = c.open();
                Context other = c.open()) {
            QueuePair qp = rawQp(context);
            assertThrows(IllegalArgumentException.class, () -> new EthSpec().dstMac(new byte[5]));
            assertThrows(IllegalArgumentException.class, () -> new EthSpec().etherType(0x10000));
            assertThrows(IllegalArgumentException.class, () -> new GreSpec().key(-1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new TunnelSpec().tunnelId(0, 0x1_0000_0000L));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new Ipv4Spec().srcIp(Inet4Address.ofLiteral("10.0.0.0"), 33));
            FlowAttr wrongPort = new FlowAttr(FlowAttrType.NORMAL).port(2);
            assertThrows(IllegalArgumentException.class, () -> Flow.create(qp, wrongPort));
            FlowAttr many = new FlowAttr(FlowAttrType.NORMAL);
            for (int i = 0; i < 255; i++) {
                many.spec(new FlowSpec.ActionDrop());
            }
            assertThrows(
                    IllegalArgumentException.class, () -> many.spec(new FlowSpec.ActionDrop()));
            Counters foreign = Counters.create(other);
            FlowAttr counted =
                    new FlowAttr(FlowAttrType.NORMAL).spec(new FlowSpec.ActionCount(foreign));
            assertThrows(IllegalArgumentException.class, () -> Flow.create(qp, counted));
            assertThrows(NullPointerException.class, () -> new FlowSpec.ActionCount(null));
            assertEquals(List.of(), c.calls("create_flow"));
            c.fail("create_flow", Errno.EINVAL);
            assertEquals(
                    Errno.EINVAL,
                    assertThrows(
                                    VerbsException.class,
                                    () -> Flow.create(qp, new FlowAttr(FlowAttrType.NORMAL)))
                            .errno());
        }
    }

    @Test
    @DisplayName("an ESP action carries parameters, key, replay window, encapsulation and ESN")
    void espAction(StandIn c) {
        try (Context context = c.open()) {
            byte[] key = bytes("000102030405060708090a0b0c0d0e0f");
            FlowAction action =
                    FlowAction.createEsp(
                            context,
                            new FlowActionEspAttr()
                                    .spi(0x1234)
                                    .seq(5)
                                    .tfcPad(6)
                                    .flags(EspFlag.FULL_OFFLOAD, EspFlag.ENCRYPT)
                                    .hardLimitPkts(1L << 40)
                                    .keymat(new AesGcmKeymat(key, 0xcafe, 0x1122334455667788L, 16))
                                    .replayBmp(64)
                                    .espEncap(
                                            new Ipv4Spec().srcIp(Inet4Address.ofLiteral("1.2.3.4")),
                                            TcpUdpSpec.udp().dstPort(4500))
                                    .esn(0x99));
            assertEquals(
                    List.of(
                            "create_flow_action_esp(NULL, comp_mask=0x1, esn=0x99)",
                            "esp(spi=0x1234, seq=0x5, tfc_pad=6, flags=0x5,"
                                    + " hard_limit_pkts=1099511627776)",
                            "keymat(proto=0, len=56 of 56, iv=0x1122334455667788, iv_algo=0,"
                                + " salt=0xcafe, icv_len=16, key_len=16,"
                                + " aes_key=000102030405060708090a0b0c0d0e0f00000000000000000000000000000000)",
                            "replay(proto=1, len=4 of 4, size=64)",
                            "encap(type=0x30, len=8, val=0102030400000000)",
                            "encap(type=0x41, len=4, val=11940000)"),
                    c.calls());
            action.modifyEsp(new FlowActionEspAttr().esn(0x100));
            assertEquals(
                    "modify_flow_action_esp("
                            + c.name(action.handle())
                            + ", comp_mask=0x1, esn=0x100)",
                    c.calls().getLast());
            c.fail("modify_flow_action_esp", Errno.EOPNOTSUPP);
            assertThrows(
                    UnsupportedVerbException.class,
                    () -> action.modifyEsp(new FlowActionEspAttr()));
            c.fail("create_flow_action_esp", Errno.EINVAL);
            assertThrows(
                    VerbsException.class,
                    () -> FlowAction.createEsp(context, new FlowActionEspAttr()));
            assertThrows(
                    IllegalArgumentException.class, () -> new AesGcmKeymat(new byte[15], 0, 0, 16));
            assertThrows(
                    IllegalArgumentException.class, () -> new AesGcmKeymat(new byte[16], 0, 0, 9));
            assertFalse(new AesGcmKeymat(key, 0xcafe, 0, 16).toString().contains("cafe"));
        }
    }

    @Test
    @DisplayName("counters are attached before or to a flow, and read")
    void counters(StandIn c) {
        try (Context context = c.open()) {
            QueuePair qp = rawQp(context);
            Counters counters = Counters.create(context);
            String name = c.name(counters.handle());
            assertEquals("create_counters(comp_mask=0)", c.call("create_counters"));
            counters.attach(CounterDescription.BYTES, 3);
            Flow flow = Flow.create(qp, new FlowAttr(FlowAttrType.ALL_DEFAULT));
            counters.attach(CounterDescription.PACKETS, 4, flow);
            assertEquals(
                    List.of(
                            "attach_counters_point_flow(%s, counter_desc=1, index=3, comp_mask=0, flow=NULL)"
                                    .formatted(name),
                            "attach_counters_point_flow(%s, counter_desc=0, index=4, comp_mask=0, flow=%s)"
                                    .formatted(name, c.name(flow.handle()))),
                    c.calls("attach_counters_point_flow"));
            c.answer("counter", -2);
            assertArrayEquals(new long[] {-2, -1, 0}, counters.read(3, true));
            assertEquals(
                    "read_counters(" + name + ", ncounters=3, flags=0x1)", c.call("read_counters"));
            counters.read(1, false);
            assertTrue(c.calls("read_counters").getLast().endsWith("ncounters=1, flags=0)"));
            c.fail("read_counters", Errno.EINVAL);
            assertThrows(VerbsException.class, () -> counters.read(9, false));
            assertThrows(IllegalArgumentException.class, () -> counters.read(0, false));
            c.fail("attach_counters_point_flow", Errno.EBUSY);
            assertThrows(VerbsException.class, () -> counters.attach(CounterDescription.BYTES, 5));
            counters.close();
            assertFalse(flow.isOpen());
            assertThrows(IllegalStateException.class, () -> counters.read(1, false));
        }
    }
}
