package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.verbs4j.examples.testing.Example;
import io.github.verbs4j.examples.testing.JavaTool;
import io.github.verbs4j.examples.testing.Result;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void listNamesEveryExampleWithOneLine() throws Exception {
        List<String> listed = new ArrayList<>();
        for (String line : Example.run("--list").succeeded().out().lines().toList()) {
            assertTrue(line.matches("[a-z-]+ +[A-Z].*[^ ]"), line);
            listed.add(line.split(" ")[0]);
        }
        assertEquals(List.copyOf(Main.commandLine().getSubcommands().keySet()), listed);
    }

    @Test
    void everyExampleHasHelpAndCommonOptions() throws Exception {
        for (String example : Main.commandLine().getSubcommands().keySet()) {
            Result help = Example.run(example, "--help").succeeded();
            assertTrue(help.out().startsWith("Usage: verbs " + example + " "), help.out());
            assertTrue(help.out().contains("--trace"), help.out());
        }
        Example.run("--help").succeeded();
    }

    @Test
    void wrongOptionsAreOneLineAndStatusTwo() throws Exception {
        Example.run("devinfo", "-q").failed(2, "devinfo: Unknown option: '-q'");
        Example.run("rc-pingpong", "-n", "many").failed(2, "'many' is not an int");
        Example.run("rc-pingpong", "a", "b").failed(2, "Unmatched argument");
        Example.run("rc-pingpong", "-m", "1000").failed(2, "--mtu must be one of");
        Example.run("rc-pingpong", "-p", "65536").failed(2, "--port must be 1 to 65535");
        Example.run("srq-pingpong", "-q", "256").failed(2, "--num-qp must be 1 to 255, was 256");
        Example.run("ud-pingpong", "-m", "1024").failed(2, "ud-pingpong: Unknown option: '-m'");
        Example.run("uc-pingpong", "-l", "16").failed(2, "--sl must be 0 to 15, was 16");
        Example.run("asyncwatch", "--count", "-1").failed(2, "--count must be 0 or more, was -1");
        Example.run("gather-scatter", "-x").failed(2, "gather-scatter: Unknown option: '-x'");
        Example.run("atomics", "-c", "65").failed(2, "--clients must be 1 to 64, was 65");
        Example.run("unsignaled", "-n", "33").failed(2, "--iters must be a multiple of 32, was 33");
        Example.run("inline", "-I", "0").failed(2, "--inline_size must be 1 to 1024, was 0");
        Example.run("fence", "-n", "0").failed(2, "--iters must be 1 to 10000000, was 0");
        Example.run("srq", "-r", "0").failed(2, "--rx-depth must be 1 to 1024, was 0");
        Example.run("zcopy", "-s", "63").failed(2, "--size must be 64 to 1073741824, was 63");
        Example.run("kv-store", "-s", "20").failed(2, "--size must be a multiple of 8, was 20");
        Example.run("demo", "-s", "7").failed(2, "--size must be 8 to 1073741824, was 7");
        Example.run("nosuchexample").failed(2, "verbs: there is no example nosuchexample");
        Example.run().failed(2, "which example?");
        Example.run("--dry-run").failed(2, "which example?");
        Example.run("rping").failed(2, "rping: Missing required argument");
    }

    @Test
    void optionsOfTheCToolThatAreNotSupportedAreRefusedByName() throws Exception {
        for (String option : List.of("-o", "-O", "-P", "-j")) {
            Example.run("rc-pingpong", option).failed(2, "rc-pingpong: option " + option + " (");
        }
    }

    @Test
    void anEmptyNameIsAWrongOption() throws Exception {
        Example.run("devinfo", "-d", "").failed(2, "devinfo: --ib-dev is empty");
        Example.run("rc-pingpong", "").failed(2, "rc-pingpong: HOST is empty");
        Example.run("file-transfer", "localhost", "").failed(2, "file-transfer: FILE is empty");
    }

    @Test
    void optionsCanBeCheckedWithoutRunning() throws Exception {
        Example.run("--dry-run", "rc-pingpong", "-n", "0").failed(2, "--iters must be 1 to");
        Example.run("--dry-run", "demo", "-x").failed(2, "demo: Unknown option: '-x'");
        Example.run("--dry-run", "read-write", "read", "localhost").failed(2, "which port?");
        // Running, each of these would wait for a peer, or need a device.
        for (String example : List.of("rc-pingpong", "demo", "file-transfer")) {
            assertEquals("", Example.run("--dry-run", example).succeeded().out());
        }
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        for (String arguments : List.of("--list", "--help", "demo --help")) {
            JavaTool.runInto("/dev/full", arguments.split(" "))
                    .failed(1, "could not write to standard output: No space left on device");
        }
    }
}
