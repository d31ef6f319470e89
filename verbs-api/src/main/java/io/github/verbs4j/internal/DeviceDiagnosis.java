package io.github.verbs4j.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Says why a device that was asked for is not there, from what the machine shows. */
public final class DeviceDiagnosis {

    private static final Path CLASS = Path.of("/sys/class/infiniband");
    private static final Path NODES = Path.of("/dev/infiniband");

    private DeviceDiagnosis() {}

    /**
     * Explains a missing device.
     *
     * @param wanted what was looked for
     * @param listed the names of the devices that libibverbs lists
     * @return a sentence or two, with what to do
     */
    public static String explain(String wanted, List<String> listed) {
        if (!listed.isEmpty()) {
            return "no " + wanted + "; this machine has " + String.join(", ", listed);
        }
        List<String> kernel = entries(CLASS);
        if (kernel.isEmpty()) {
            return "no "
                    + wanted
                    + ": the kernel has no RDMA device (no entry in "
                    + CLASS
                    + "). Load the card's driver, or set up Soft-RoCE:"
                    + " modprobe rdma_rxe; rdma link add rxe0 type rxe netdev DEV";
        }
        List<String> nodes =
                entries(NODES).stream().filter(name -> name.startsWith("uverbs")).toList();
        if (nodes.isEmpty()) {
            return "no "
                    + wanted
                    + ": the kernel has "
                    + String.join(", ", kernel)
                    + ", but "
                    + NODES
                    + " has no uverbs node. Load ib_uverbs; in a container, pass"
                    + " --device=/dev/infiniband";
        }
        for (String node : nodes) {
            Path path = NODES.resolve(node);
            if (!Files.isReadable(path) || !Files.isWritable(path)) {
                return "no " + wanted + ": no permission to read and write " + path;
            }
        }
        return "no "
                + wanted
                + ": the kernel has "
                + String.join(", ", kernel)
                + ", but libibverbs has no provider for it. Install ibverbs-providers"
                + " (Debian, Ubuntu) or rdma-core (Fedora, RHEL)";
    }

    private static List<String> entries(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
