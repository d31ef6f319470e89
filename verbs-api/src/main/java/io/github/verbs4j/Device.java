package io.github.verbs4j;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.verbs4j.ffi.DeviceVerbs;
import io.github.verbs4j.ffi.NativeLibraryMissingException;
import io.github.verbs4j.ffi.ibv_device;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.DeviceDiagnosis;
import io.github.verbs4j.internal.NetworkOrder;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.Guid;
import io.github.verbs4j.types.NodeType;
import io.github.verbs4j.types.TransportType;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An RDMA device of this machine: C's {@code struct ibv_device}. A value that describes the device
 * as it was listed; {@link #open} looks it up anew. Safe for any thread.
 *
 * @param name the device's name, as {@code mlx5_0} or {@code rxe0}
 * @param devName the name of its uverbs node under {@code /dev/infiniband}
 * @param guid the node GUID, which tells two cards apart
 * @param nodeType what kind of node it is
 * @param transportType what it speaks
 * @param sysfsPath its folder under {@code /sys/class/infiniband}
 */
public record Device(
        String name,
        String devName,
        Guid guid,
        NodeType nodeType,
        TransportType transportType,
        Path sysfsPath) {

    /**
     * Lists the devices of this machine.
     *
     * @return the devices, in the kernel's order; empty when there is none
     * @throws io.github.verbs4j.types.LibraryMissingException libibverbs is not installed
     * @throws VerbsException EPERM: no permission; ENOMEM: out of memory; ENOSYS: no RDMA driver is
     *     loaded; the message says what to do
     * @verbs.calls ibv_get_device_list, ibv_get_device_guid, ibv_free_device_list
     */
    public static List<Device> list() {
        List<Device> devices = new ArrayList<>();
        forEach(
                pointer -> {
                    devices.add(describe(pointer));
                    return false;
                });
        return List.copyOf(devices);
    }

    /**
     * Finds a device by its name.
     *
     * @param name as {@code rxe0}
     * @return the device
     * @throws VerbsException ENODEV: there is none of that name; the message says which there are,
     *     or why there are none
     * @verbs.calls ibv_get_device_list
     */
    public static Device named(String name) {
        Objects.requireNonNull(name, "name");
        return find("device " + name, device -> device.name().equals(name));
    }

    /**
     * Finds a device by its GUID.
     *
     * @param guid the node GUID
     * @return the device
     * @throws VerbsException ENODEV: there is none with that GUID
     * @verbs.calls ibv_get_device_list, ibv_get_device_guid
     */
    public static Device withGuid(Guid guid) {
        Objects.requireNonNull(guid, "guid");
        return find("device with GUID " + guid, device -> device.guid().equals(guid));
    }

    /**
     * The first device of {@link #list}.
     *
     * @return the device
     * @throws VerbsException ENODEV: there is none; the message says why
     * @verbs.calls ibv_get_device_list
     */
    public static Device first() {
        return find("RDMA device", device -> true);
    }

    /**
     * Opens the device.
     *
     * @return the context; close it
     * @throws VerbsException ENODEV: the device is gone; EACCES: no permission on its node; EMFILE:
     *     too many open files (a context needs two)
     * @verbs.calls ibv_get_device_list, ibv_get_device_name, ibv_open_device, ibv_free_device_list
     */
    public Context open() {
        return within("ibv_open_device", pointer -> new Context(this, pointer));
    }

    /**
     * The number that the kernel knows the device by, which stays when it is renamed.
     *
     * @return the number, or empty when the kernel does not tell
     * @throws VerbsException ENODEV: the device is gone
     * @throws io.github.verbs4j.types.UnsupportedVerbException rdma-core is older than 30
     * @verbs.calls ibv_get_device_index
     */
    public OptionalInt index() {
        int index =
                within(
                        "ibv_get_device_index",
                        pointer -> Check.present(() -> DeviceVerbs.ibv_get_device_index(pointer)));
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /** Runs code on the native device, which lives no longer. */
    <T> T within(String verb, Function<MemorySegment, T> code) {
        List<T> results = new ArrayList<>(1);
        forEach(
                pointer -> {
                    if (!name.equals(Structs.string(DeviceVerbs.ibv_get_device_name(pointer)))) {
                        return false;
                    }
                    results.add(code.apply(pointer));
                    return true;
                });
        if (results.isEmpty()) {
            throw new VerbsException(verb, Errno.ENODEV, name + " is gone");
        }
        return results.getFirst();
    }

    private static Device find(String what, Predicate<Device> wanted) {
        List<Device> devices = list();
        return devices.stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(
                        () ->
                                new VerbsException(
                                        "ibv_get_device_list",
                                        Errno.ENODEV,
                                        DeviceDiagnosis.explain(
                                                what,
                                                devices.stream().map(Device::name).toList())));
    }

    private static String explainNoList(int errno) {
        // So a kernel answers into which no RDMA driver has ever been loaded.
        return errno == Errno.ENOSYS ? DeviceDiagnosis.explain("RDMA device", List.of()) : "";
    }

    /** Visits the native devices until one says it was the last to visit; they live no longer. */
    private static void forEach(Predicate<MemorySegment> visitor) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment list =
                    Check.notNull(
                            "ibv_get_device_list",
                            DeviceVerbs.ibv_get_device_list(count),
                            Device::explainNoList);
            try {
                int n = count.get(JAVA_INT, 0);
                MemorySegment pointers = Structs.view(list, n * ADDRESS.byteSize());
                for (int i = 0; i < n; i++) {
                    if (visitor.test(pointers.getAtIndex(ADDRESS, i))) {
                        return;
                    }
                }
            } finally {
                DeviceVerbs.ibv_free_device_list(list);
            }
        } catch (NativeLibraryMissingException e) {
            throw Check.missing(e);
        }
    }

    static Device describe(MemorySegment pointer) {
        MemorySegment device = Structs.view(pointer, ibv_device.sizeof());
        long guid = DeviceVerbs.ibv_get_device_guid(pointer);
        return new Device(
                ibv_device.name(device).getString(0),
                ibv_device.dev_name(device).getString(0),
                new Guid(NetworkOrder.toHost(guid)),
                NodeType.of(ibv_device.node_type(device)),
                TransportType.of(ibv_device.transport_type(device)),
                Path.of(ibv_device.ibdev_path(device).getString(0)));
    }
}
