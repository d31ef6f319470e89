package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.verbs4j.testing.ChildJvm;
import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that run out of stack inside this library, catch that, and go on. */
@RequiresDevice
class StackOverflowDeviceTest {

    enum Call {
        POLL,
        SEND,
        RECEIVE,
        ARM
    }

    /** Makes one call, its first, wherever the stack ends, and then where there is enough. */
    static final class FirstCall {

        private final LoopbackPair pair = LoopbackPair.connected();
        private final CompletionChannel channel = pair.context.createCompChannel();
        private final CompletionQueue armed =
                pair.context.createCq(new CqInitAttr(1).channel(channel));
        private final WcArray wc = new WcArray(1);
        private final SendWr send = new SendWr(1).write(pair.mrA, 0, 8, pair.mrB.remote(), 0);
        private final RecvWr receive = new RecvWr(1).sge(pair.mrA, 0, 8);
        private final Call call;

        private FirstCall(Call call) {
            this.call = call;
        }

        public static void main(String[] arguments) throws Exception {
            FirstCall program = new FirstCall(Call.valueOf(arguments[0]));
            Thread small = new Thread(null, program::sink, "small", 256 << 10);
            small.start();
            small.join();
            program.call();
            System.out.print("called");
            System.out.flush();
            Runtime.getRuntime().halt(0); // a call that ran out of stack may be counted as inside
        }

        private void sink() {
            try {
                deeper();
            } catch (Throwable e) {
                // As wanted. Later ones may say that a class is lost, which the last call will too.
            }
        }

        private void deeper() {
            try {
                deeper();
            } catch (StackOverflowError e) {
                call();
                throw e;
            }
        }

        private void call() {
            switch (call) {
                case POLL -> pair.cqA.poll(wc);
                case SEND -> pair.a.tryPostSend(send);
                case RECEIVE -> pair.a.tryPostRecv(receive);
                case ARM -> armed.reqNotify();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("R a first call that runs out of stack leaves later ones working")
    void firstCall(Call call) throws Exception {
        ChildJvm.Result result =
                ChildJvm.run(List.of(), List.of(), FirstCall.class, call.toString());
        assertEquals(new ChildJvm.Result(0, "called"), result);
    }
}
