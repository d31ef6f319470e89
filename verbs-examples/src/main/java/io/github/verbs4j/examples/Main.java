package io.github.verbs4j.examples;

import io.github.verbs4j.examples.cli.CheckedRun;
import io.github.verbs4j.examples.cli.CommonOptions;
import io.github.verbs4j.examples.cli.ExampleException;
import io.github.verbs4j.examples.cli.Failures;
import io.github.verbs4j.examples.cli.LineOutput;
import io.github.verbs4j.examples.cm.Mckey;
import io.github.verbs4j.examples.cm.RdmaClient;
import io.github.verbs4j.examples.cm.RdmaServer;
import io.github.verbs4j.examples.cm.Rping;
import io.github.verbs4j.examples.cm.Rstream;
import io.github.verbs4j.examples.cm.Ucmatose;
import io.github.verbs4j.examples.cm.Udaddy;
import io.github.verbs4j.examples.demo.Demo;
import io.github.verbs4j.examples.device.AsyncWatch;
import io.github.verbs4j.examples.device.DevInfo;
import io.github.verbs4j.examples.device.Devices;
import io.github.verbs4j.examples.kv.KvStore;
import io.github.verbs4j.examples.lessons.Atomics;
import io.github.verbs4j.examples.lessons.Fence;
import io.github.verbs4j.examples.lessons.GatherScatter;
import io.github.verbs4j.examples.lessons.Inline;
import io.github.verbs4j.examples.lessons.SharedReceives;
import io.github.verbs4j.examples.lessons.Unsignaled;
import io.github.verbs4j.examples.lessons.Zcopy;
import io.github.verbs4j.examples.pingpong.RcPingpong;
import io.github.verbs4j.examples.pingpong.SrqPingpong;
import io.github.verbs4j.examples.pingpong.UcPingpong;
import io.github.verbs4j.examples.pingpong.UdPingpong;
import io.github.verbs4j.examples.pingpong.XsrqPingpong;
import io.github.verbs4j.examples.tutorial.BasicClientServer;
import io.github.verbs4j.examples.tutorial.FileTransfer;
import io.github.verbs4j.examples.tutorial.ReadWrite;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The examples as one program. Exit status: 0 done, 1 failed, with one line that says why, 2 wrong
 * options.
 */
@Command(
        name = "verbs",
        description = "Examples of RDMA verbs in Java.",
        synopsisSubcommandLabel = "EXAMPLE",
        commandListHeading = "%nExamples:%n",
        footer = "%nverbs EXAMPLE --help explains one.",
        subcommands = {
            Devices.class,
            DevInfo.class,
            Demo.class,
            RcPingpong.class,
            UcPingpong.class,
            UdPingpong.class,
            SrqPingpong.class,
            XsrqPingpong.class,
            AsyncWatch.class,
            BasicClientServer.class,
            ReadWrite.class,
            FileTransfer.class,
            RdmaServer.class,
            RdmaClient.class,
            Rping.class,
            Ucmatose.class,
            Udaddy.class,
            Mckey.class,
            Rstream.class,
            GatherScatter.class,
            Inline.class,
            Unsignaled.class,
            Fence.class,
            Atomics.class,
            SharedReceives.class,
            Zcopy.class,
            KvStore.class
        })
public final class Main implements Runnable {

    @Spec private CommandSpec spec;

    @Option(names = "--list", description = "Name every example with one line.")
    private boolean list;

    @Option(
            names = "--dry-run",
            description = "Check the options of an example, and do nothing else.")
    private boolean dryRun;

    /** Runs the program and ends the process with its exit status. */
    public static void main(String... args) {
        // Numbers as the C tools print them, whatever the user's language.
        Locale.setDefault(Locale.ROOT);
        System.exit(execute(LineOutput.install(), args));
    }

    /** Fails also when the output could not be written, whoever noticed it. */
    private static int execute(LineOutput output, String... args) {
        int status;
        try {
            status = execute(args);
            System.out.flush();
        } catch (ExampleException e) {
            System.err.println("verbs: " + e.getMessage());
            status = ExitCode.SOFTWARE;
        }
        return status == ExitCode.OK && !output.isIntact() ? ExitCode.SOFTWARE : status;
    }

    /** {@return the exit status of the program with these arguments} */
    public static int execute(String... args) {
        return commandLine().execute(args);
    }

    /** {@return the parser, with every example} */
    static CommandLine commandLine() {
        Main main = new Main();
        CommandLine program = new CommandLine(main);
        Failures failures = new Failures();
        program.setExecutionExceptionHandler(failures);
        program.setParameterExceptionHandler(failures);
        program.setExecutionStrategy(new CheckedRun(() -> main.dryRun));
        addCommonOptions(program);
        program.getSubcommands().values().forEach(Main::addCommonOptions);
        return program;
    }

    /** The options that every example has without declaring them. */
    private static void addCommonOptions(CommandLine command) {
        command.getCommandSpec()
                .addMixin("common", CommandSpec.forAnnotatedObject(new CommonOptions()));
    }

    @Override
    public void run() {
        if (!list) {
            throw new ParameterException(spec.commandLine(), "which example? --list names them");
        }
        spec.subcommands()
                .forEach(
                        (name, example) ->
                                System.out.printf(
                                        "%-20s %s%n",
                                        name,
                                        example.getCommandSpec().usageMessage().description()[0]));
    }
}
