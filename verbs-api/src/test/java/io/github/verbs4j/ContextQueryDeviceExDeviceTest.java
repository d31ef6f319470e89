package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.DeviceAttrEx;
import io.github.verbs4j.types.DeviceCapFlag;
import io.github.verbs4j.types.OdpCaps;
import io.github.verbs4j.types.PacketPacingCaps;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.RssCaps;
import io.github.verbs4j.types.TmCaps;
import io.github.verbs4j.types.TsoCaps;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice
class ContextQueryDeviceExDeviceTest {

    @Test
    @DisplayName(
            "DEV-06 the extended attributes hold the plain ones, and zeros for what is lacking")
    void extendedAttributesHoldThePlainOnes() {
        try (Context context = TestDevice.get(TestDevice.Kind.ROCE).open()) {
            DeviceAttrEx attr = context.queryDeviceEx();
            assertEquals(context.queryDevice(), attr.origAttr());
            if (TestDevice.isRxe(context)) {
                assertEquals(new OdpCaps(0, 0, 0, 0, 0), attr.odpCaps());
                assertEquals(new TsoCaps(0, 0), attr.tsoCaps());
                assertEquals(new RssCaps(0, 0, 0, 0, 0), attr.rssCaps());
                assertEquals(new PacketPacingCaps(0, 0, 0), attr.packetPacingCaps());
                assertEquals(new TmCaps(0, 0, 0, 0, 0), attr.tmCaps());
                assertEquals(0, attr.completionTimestampMask());
                assertEquals(0, attr.maxDmSize());
                assertEquals(1, attr.physPortCntEx());
                assertEquals(
                        DeviceCapFlag.of(attr.origAttr().deviceCapFlags()),
                        DeviceCapFlag.of(attr.deviceCapFlagsEx()));
                assertEquals(false, attr.tsoCaps().supports(QpType.UD));
            }
        }
    }
}
