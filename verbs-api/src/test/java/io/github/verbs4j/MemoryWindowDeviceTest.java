package io.github.verbs4j;

import static io.github.verbs4j.types.AccessFlag.LOCAL_WRITE;
import static io.github.verbs4j.types.AccessFlag.MW_BIND;
import static io.github.verbs4j.types.AccessFlag.REMOTE_READ;
import static io.github.verbs4j.types.AccessFlag.REMOTE_WRITE;
import static io.github.verbs4j.types.AccessFlag.ZERO_BASED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.testing.LoopbackPair;
import io.github.verbs4j.testing.RequiresDevice;
import io.github.verbs4j.testing.TestDevice;
import io.github.verbs4j.types.AccessFlag;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.MwType;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.RemoteBuffer;
import io.github.verbs4j.types.SendFlags;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import io.github.verbs4j.types.WcOpcode;
import io.github.verbs4j.types.WcStatus;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Side b binds windows over its region; side a uses them. */
@RequiresDevice(TestDevice.Kind.RXE)
class MemoryWindowDeviceTest {

    private LoopbackPair pair;

    @BeforeEach
    void connect() {
        pair = LoopbackPair.connected();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private MemoryWindow boundType2(MwBind bind) throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, bind));
        assertEquals(WcOpcode.BIND_MW, pair.completionB().checkSuccess().opcode());
        return mw;
    }

    private WcStatus write(RemoteBuffer remote) throws Exception {
        pair.a.postSend(new SendWr(1).write(pair.mrA, 0, 8, remote, 0));
        return pair.completionA().status();
    }

    private WcStatus read(RemoteBuffer remote) throws Exception {
        pair.a.postSend(new SendWr(1).read(pair.mrA, 0, 8, remote, 0));
        return pair.completionA().status();
    }

    @Test
    @DisplayName("MW-01 windows of both types are allocated and closed")
    void bothTypes() {
        for (MwType type : MwType.values()) {
            MemoryWindow mw = pair.pd.allocMw(type);
            assertEquals(type, mw.type());
            assertSame(pair.pd, mw.pd());
            assertFalse(mw.isBound());
            mw.close();
            mw.close();
            assertFalse(mw.isOpen());
            assertThrows(IllegalStateException.class, mw::handle);
        }
    }

    @Test
    @RequiresDevice(TestDevice.Kind.SIW)
    @DisplayName("MW-01 siw has no windows, and says so")
    void siwHasNoWindows() {
        try (Context siw = TestDevice.get(TestDevice.Kind.SIW).open()) {
            ProtectionDomain pd = siw.allocPd();
            assertThrows(UnsupportedVerbException.class, () -> pd.allocMw(MwType.TYPE_1));
            assertThrows(UnsupportedVerbException.class, () -> pd.allocMw(MwType.TYPE_2));
        }
    }

    @Test
    @DisplayName("MW-02 a type 1 window carries writes and reads; each bind gives it another rkey")
    void type1() throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_1);
        int before = mw.rkey();
        MwBind bind = new MwBind(pair.mrB, 64, 128, Set.of(REMOTE_READ, REMOTE_WRITE));
        pair.b.bindMw(mw, bind, 5, SendFlags.SIGNALED);
        assertEquals(5, pair.completionB().checkSuccess().wrId());
        assertNotEquals(before, mw.rkey());
        assertTrue(mw.isBound());
        RemoteBuffer remote = mw.remote(bind);
        assertEquals(128, remote.length());
        pair.mrA.segment().setString(0, "window");
        assertEquals(WcStatus.SUCCESS, write(remote));
        assertEquals("window", pair.mrB.segment().getString(64));
        assertEquals(WcStatus.SUCCESS, read(remote));
    }

    @Test
    @DisplayName("MW-04 what ibv_bind_mw cannot bind is refused before the call, or EINVAL")
    void wrongBinds() {
        MemoryWindow type1 = pair.pd.allocMw(MwType.TYPE_1);
        MemoryWindow type2 = pair.pd.allocMw(MwType.TYPE_2);
        ProtectionDomain otherPd = pair.context.allocPd();
        MemoryWindow foreign = otherPd.allocMw(MwType.TYPE_1);
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MwBind zeroBased = new MwBind(pair.mrB, REMOTE_READ, ZERO_BASED);
        int signaled = SendFlags.SIGNALED;
        assertThrows(IllegalArgumentException.class, () -> pair.b.bindMw(type2, bind, 0, signaled));
        assertThrows(
                IllegalArgumentException.class, () -> pair.b.bindMw(foreign, bind, 0, signaled));
        VerbsException e =
                assertThrows(
                        VerbsException.class, () -> pair.b.bindMw(type1, zeroBased, 0, signaled));
        assertEquals(Errno.EINVAL, e.errno());
        QueuePair reset = pair.pd.createQp(LoopbackPair.attr(pair.cqB));
        assertThrows(IllegalStateException.class, () -> reset.bindMw(type1, bind, 0, signaled));
        assertThrows(NullPointerException.class, () -> pair.b.bindMw(null, bind, 0, signaled));
        assertThrows(NullPointerException.class, () -> pair.b.bindMw(type1, null, 0, signaled));
        assertThrows(NullPointerException.class, () -> new MwBind(null, REMOTE_READ));
        assertFalse(type1.isBound() || type2.isBound());
    }

    @Test
    @DisplayName("MW-05 a window over a region without MW_BIND fails in its completion")
    void regionWithoutMwBind() throws Exception {
        MemoryRegion plain = pair.pd.allocateMr(4096, LOCAL_WRITE, REMOTE_WRITE);
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, new MwBind(plain, REMOTE_WRITE)));
        assertBindFailed();
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessFlag.class,
            names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
    @DisplayName("MW-05 a window that lets write a region that cannot be written fails to bind")
    void regionWithoutLocalWrite(AccessFlag right) throws Exception {
        MemoryRegion readOnly = pair.pd.allocateMr(4096, REMOTE_READ, MW_BIND);
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, new MwBind(readOnly, right)));
        assertBindFailed();
    }

    @Test
    @DisplayName("MW-05 a type 2 window of no bytes fails to bind")
    void lengthZero() throws Exception {
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        MwBind nothing = new MwBind(pair.mrB, 0, 0, Set.of(REMOTE_READ));
        pair.b.postSend(new SendWr(0).bindMw(mw, nothing));
        assertBindFailed();
    }

    private void assertBindFailed() throws Exception {
        WorkCompletion failed = pair.completionB();
        assertEquals(WcStatus.MW_BIND_ERR, failed.status());
        assertEquals(pair.b.qpNum(), failed.qpNum());
        assertEquals(QpState.ERR, pair.b.query().qpState());
        pair.b.postSend(new SendWr(1).send(pair.mrB, 0, 8));
        assertEquals(WcStatus.WR_FLUSH_ERR, pair.completionB().status());
    }

    @Test
    @DisplayName("MW-05 a part outside the region, and a window that is bound, are refused in Java")
    void refusedInJava() throws Exception {
        long length = pair.mrB.length();
        for (long[] part : new long[][] {{0, length + 1}, {length, 1}, {-1, 1}, {0, -1}}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> new MwBind(pair.mrB, part[0], part[1], Set.of(REMOTE_READ)));
        }
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MemoryWindow mw = boundType2(bind);
        SendWr again = new SendWr(0).bindMw(mw, bind);
        assertThrows(IllegalStateException.class, () -> pair.b.postSend(again));
        MemoryWindow foreign = pair.context.allocPd().allocMw(MwType.TYPE_2);
        SendWr wrong = new SendWr(0).bindMw(foreign, bind);
        assertThrows(IllegalArgumentException.class, () -> pair.b.postSend(wrong));
    }

    @Test
    @DisplayName("MW-07 a type 2 window carries a write under the rkey that Java tells")
    void type2() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_WRITE);
        MemoryWindow mw = boundType2(bind);
        assertEquals(WcStatus.SUCCESS, write(mw.remote(bind)));
    }

    @Test
    @DisplayName("MW-09 SEND_WITH_INV takes a window back; it can be bound again")
    void sendWithInv() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_WRITE);
        MemoryWindow mw = boundType2(bind);
        int rkey = mw.rkey();
        pair.b.postRecv(new RecvWr(1).sge(pair.mrB, 0, 64));
        SendWr send = new SendWr(1).sendWithInv(pair.mrA, 0, 8, rkey);
        pair.a.postSend(send);
        pair.completionA().checkSuccess();
        assertTrue(mw.isBound());
        WorkCompletion received = pair.completionB().checkSuccess();
        assertEquals(rkey, received.immData());
        assertFalse(mw.isBound());
        pair.b.postSend(new SendWr(0).bindMw(mw, bind));
        pair.completionB().checkSuccess();
        assertNotEquals(rkey, mw.rkey());
        assertEquals(WcStatus.SUCCESS, write(mw.remote(bind)));
    }

    @Test
    @DisplayName("MW-09 a window taken back by LOCAL_INV can be bound again and again")
    void boundAgainAndAgain() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MemoryWindow mw = boundType2(bind);
        for (int i = 0; i < 300; i++) { // more than the key's 8 bits count
            int rkey = mw.rkey();
            pair.b.postSend(new SendWr(0).localInv(mw));
            pair.b.postSend(new SendWr(0).bindMw(mw, bind));
            pair.completionB().checkSuccess();
            pair.completionB().checkSuccess();
            assertNotEquals(rkey, mw.rkey());
        }
        assertEquals(WcStatus.SUCCESS, read(mw.remote(bind)));
    }

    @Test
    @DisplayName("MW-12 a type 2 window serves the queue pair it was bound on, no other")
    void otherQueuePair() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_WRITE);
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.a.postSend(new SendWr(0).bindMw(mw, bind));
        pair.completionA().checkSuccess();
        assertEquals(WcStatus.REM_ACCESS_ERR, write(mw.remote(bind)));
    }

    @Test
    @DisplayName("MW-14 a window that gives only reading refuses a write")
    void readOnlyWindow() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MemoryWindow mw = boundType2(bind);
        assertEquals(WcStatus.SUCCESS, read(mw.remote(bind)));
        assertEquals(WcStatus.REM_ACCESS_ERR, write(mw.remote(bind)));
    }

    @ParameterizedTest
    @EnumSource(MwType.class)
    @DisplayName("MW-14 a window gives rights that its region does not give peers")
    void windowGivesMore(MwType type) throws Exception {
        MemoryRegion local = pair.pd.allocateMr(4096, LOCAL_WRITE, MW_BIND);
        MwBind bind = new MwBind(local, REMOTE_READ, REMOTE_WRITE);
        MemoryWindow mw = pair.pd.allocMw(type);
        if (type == MwType.TYPE_1) {
            pair.b.bindMw(mw, bind, 0, SendFlags.SIGNALED);
        } else {
            pair.b.postSend(new SendWr(0).bindMw(mw, bind));
        }
        pair.completionB().checkSuccess();
        pair.mrA.segment().setString(0, "allowed");
        assertEquals(WcStatus.SUCCESS, write(mw.remote(bind)));
        assertEquals("allowed", local.segment().getString(0));
        local.segment().setString(0, "reading");
        assertEquals(WcStatus.SUCCESS, read(mw.remote(bind)));
        assertEquals("reading", pair.mrA.segment().getString(0));
        assertEquals(WcStatus.REM_ACCESS_ERR, write(local.remote()));
    }

    @Test
    @DisplayName("MW-16 a closed window gives nothing any more; a zero-based one starts at 0")
    void closedWindowGivesNothing() throws Exception {
        MwBind bind = new MwBind(pair.mrB, 4096, 4096, Set.of(REMOTE_READ, ZERO_BASED));
        MemoryWindow mw = boundType2(bind);
        RemoteBuffer remote = mw.remote(bind);
        assertEquals(0, remote.address());
        pair.mrB.segment().setString(4096, "zero");
        assertEquals(WcStatus.SUCCESS, read(remote));
        assertEquals("zero", pair.mrA.segment().getString(0));
        mw.close();
        assertEquals(WcStatus.REM_ACCESS_ERR, read(remote));
        pair.mrB.close();
    }

    @Test
    @DisplayName("MW-17 an unsignaled bind has no completion and works")
    void unsignaledBind() throws Exception {
        MwBind bind = new MwBind(pair.mrB, REMOTE_READ);
        MemoryWindow mw = pair.pd.allocMw(MwType.TYPE_2);
        pair.b.postSend(new SendWr(0).bindMw(mw, bind).sendFlags(0));
        pair.b.postSend(new SendWr(1).write(pair.mrB, 0, 1, pair.mrA.remote(), 0).wrId(9));
        assertEquals(9, pair.completionB().checkSuccess().wrId());
        assertEquals(WcStatus.SUCCESS, read(mw.remote(bind)));
    }
}
