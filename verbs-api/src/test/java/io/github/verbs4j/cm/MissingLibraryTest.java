package io.github.verbs4j.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.types.LibraryMissingException;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without librdmacm. */
class MissingLibraryTest {

    /** Runs in a JVM that finds a file in the library's place that is none. */
    static final class WithoutLibrary {

        private WithoutLibrary() {}

        public static void main(String[] arguments) throws Exception {
            InetSocketAddress any = new InetSocketAddress(0);
            report("EventChannel", EventChannel::create);
            report("SyncCmId", () -> SyncCmId.create(PortSpace.TCP));
            report("createEp", () -> SyncCmId.createEp("localhost", "1", new AddrInfo.Hints()));
            report("CmDevices", CmDevices::list);
            report("AddrInfo", () -> AddrInfo.getaddrinfo("localhost", "1", new AddrInfo.Hints()));
            report("RdmaListener", () -> RdmaListener.bind(any));
            report("RdmaConnection", () -> RdmaConnection.connect(any));
            report("RSocket", () -> RSocket.create(false));
            report("RServerSocket", () -> RServerSocket.bind(any));
        }

        private static void report(String what, Callable<?> call) throws Exception {
            try {
                System.out.println(what + ": " + call.call());
            } catch (LibraryMissingException e) {
                System.out.println(what + ": missing " + e.getMessage().replace("\n", " "));
            } catch (RuntimeException e) {
                System.out.println(what + ": " + e);
            }
        }
    }

    @Test
    @DisplayName("a missing librdmacm is told by every way in, with the package to install")
    void told(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("librdmacm.so.1"), "no library");
        String path =
                Stream.of("java.class.path", "jdk.module.path")
                        .map(System::getProperty)
                        .filter(each -> each != null && !each.isEmpty())
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                path,
                                WithoutLibrary.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LD_LIBRARY_PATH", folder.toString());
        Process process = builder.start();
        try {
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), output);
            List<String> told = output.lines().filter(line -> line.contains(": missing ")).toList();
            assertEquals(9, told.size(), output);
            assertTrue(
                    told.stream().allMatch(line -> line.contains("apt install librdmacm1")),
                    output);
        } finally {
            process.destroyForcibly();
        }
    }
}
