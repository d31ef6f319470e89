package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.testing.ChildJvm;
import io.github.verbs4j.testing.Libc;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.RemoteBuffer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@RequiresDevice(TestDevice.Kind.RXE)
class LostObjectsDeviceTest {

    /** A loopback pair has two regions, queues and queue pairs of its own. */
    private static final Map<String, Long> LOST =
            Map.of(
                    "Context", 1L,
                    "ProtectionDomain", 1L,
                    "MemoryRegion", 2L,
                    "MemoryWindow", 1L,
                    "CompletionChannel", 1L,
                    "CompletionQueue", 3L,
                    "QueuePair", 3L);

    @Test
    @DisplayName(
            "R objects lost unclosed are all reported, whatever ties them, and keep their memory")
    void allAreReported() throws Exception {
        ChildJvm.Result result = ChildJvm.run(List.of(), List.of(), Program.class);
        assertEquals(0, result.exit(), result.output());
    }

    /** Loses objects of all kinds; the memory of the region must stay. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws Exception {
            ByteArrayOutputStream log = new ByteArrayOutputStream();
            PrintStream stderr = System.err;
            System.setErr(new PrintStream(log, true));
            RemoteBuffer lost = lose();
            for (int tries = 0; !allReported(log.toString()); tries++) {
                if (tries == 500) {
                    stderr.print(log);
                    System.exit(2);
                }
                System.gc();
                Thread.sleep(10);
            }
            // A device may be at it: the memory must not have been freed.
            String text = Libc.segment(lost.address(), lost.length()).getString(0);
            System.exit(text.equals("still here") ? 0 : 3);
        }

        private static boolean allReported(String log) {
            return LOST.entrySet().stream().allMatch(e -> reports(log, e.getKey()) == e.getValue());
        }

        private static long reports(String log, String kind) {
            return log.lines()
                    .filter(line -> line.contains("leak - " + kind))
                    .filter(line -> line.contains("was garbage collected but never closed"))
                    .count();
        }

        private static RemoteBuffer lose() throws Exception {
            LoopbackPair pair = new LoopbackPair(attr -> attr);
            CompletionChannel channel = pair.context.createCompChannel();
            CompletionQueue cq = pair.context.createCq(new CqInitAttr(16).channel(channel));
            QueuePair qp = pair.pd.createQp(LoopbackPair.attr(cq));
            pair.connect(qp, qp);
            MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
            MwBind bind = new MwBind(pair.mrB, AccessFlag.REMOTE_READ);
            qp.postSend(new SendWr(0).bindMw(mw, bind));
            pair.completion(cq).checkSuccess();
            pair.mrB.segment().setString(0, "still here");
            return pair.mrB.remote();
        }
    }
}
