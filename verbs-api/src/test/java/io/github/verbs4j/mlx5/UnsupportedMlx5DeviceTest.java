package io.github.verbs4j.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.SrqInitAttr;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.SendOp;
import io.github.verbs4j.types.UnsupportedVerbException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The soft devices are none of mlx5: each call says so, leaves nothing and harms nothing. */
class UnsupportedMlx5DeviceTest {

    @Test
    @RequiresDevice(TestDevice.Kind.RXE)
    @DisplayName("Soft-RoCE has no dynamically connected transport, and says so")
    void rxe() {
        refuses(TestDevice.get(TestDevice.Kind.RXE));
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("Soft-iWARP has no dynamically connected transport, and says so")
    void siw() {
        refuses(TestDevice.get(TestDevice.Kind.SIW));
    }

    private static void refuses(Device device) {
        assertFalse(Mlx5.isSupported(device));
        try (Context context = device.open();
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                SharedReceiveQueue srq = pd.createSrq(new SrqInitAttr(4))) {
            DciInitAttr attr = new DciInitAttr(cq, SendOp.RDMA_WRITE).streams(1, 1);
            isUnsupported(device, "mlx5dv_query_device", () -> Mlx5.queryDcCaps(context));
            isUnsupported(device, "mlx5dv_create_qp", () -> Mlx5.createDci(pd, attr));
            isUnsupported(device, "mlx5dv_create_qp", () -> Mlx5.createDct(pd, cq, srq, 1));
        }
    }

    private static void isUnsupported(Device device, String verb, Executable call) {
        UnsupportedVerbException e = assertThrows(UnsupportedVerbException.class, call);
        assertEquals(Errno.EOPNOTSUPP, e.errno(), e.getMessage());
        assertEquals(verb, e.verb());
        assertTrue(
                e.getMessage().contains(device.name() + " is not an mlx5 device"), e.getMessage());
    }
}
