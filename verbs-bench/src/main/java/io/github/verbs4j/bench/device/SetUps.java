package io.github.verbs4j.bench.device;

import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.MemoryRegion;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.types.AccessFlag;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What is done once: each call is measured by itself. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SetUps {

    /** Bytes to register. */
    @Param("4096")
    public long size;

    /** Whether in huge pages. */
    @Param("false")
    public boolean huge;

    private DeviceChoice choice;
    private Device device;
    private Context context;
    private ProtectionDomain pd;
    private Requester requester;

    /** Finds the device. */
    @Setup(Level.Invocation)
    public void setUp() {
        choice = DeviceChoice.fromProperties();
        device = choice.device().map(Device::named).orElseGet(Device::first);
        context = device.open();
        pd = context.allocPd();
    }

    /** Closes what a call left open. */
    @TearDown(Level.Invocation)
    public void tearDown() {
        context.close();
        if (requester != null) {
            requester.close();
        }
    }

    /**
     * Opens and closes the device.
     *
     * @param allocation looks at what it allocates
     */
    @Benchmark
    public void open(Allocation allocation) {
        allocation.count(this::openOnce);
    }

    private int openOnce() {
        device.open().close();
        return 1;
    }

    /**
     * Maps and registers memory, and takes it back.
     *
     * @param allocation looks at what it allocates
     */
    @Benchmark
    public void register(Allocation allocation) {
        allocation.count(this::registerOnce);
    }

    private int registerOnce() {
        MemoryRegion mr =
                huge
                        ? pd.allocateHugeMr(size, AccessFlag.LOCAL_WRITE)
                        : pd.allocateMr(size, AccessFlag.LOCAL_WRITE);
        mr.close();
        return 1;
    }

    /**
     * Opens the device twice and connects two queue pairs.
     *
     * @param allocation looks at what it allocates
     */
    @Benchmark
    public void connect(Allocation allocation) {
        allocation.count(this::connectOnce);
    }

    private int connectOnce() {
        requester = new Requester(choice, Workload.single(Operation.WRITE, 8));
        return 1;
    }
}
