package io.github.verbs4j.examples.cli;

import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs an example when its options are in order: wrong ones are refused before it opens a thing.
 */
public final class CheckedRun implements IExecutionStrategy {

    private final BooleanSupplier dry;

    /** Ends after the check if that is what the user wants. */
    public CheckedRun(BooleanSupplier dry) {
        this.dry = dry;
    }

    @Override
    public int execute(ParseResult options) {
        CommandLine example = options.asCommandLineList().getLast();
        try {
            Integer help = CommandLine.executeHelpRequest(options);
            if (help != null) {
                return help;
            }
        } catch (ExampleException e) {
            // The help could not be written.
            throw new ExecutionException(example, e.getMessage(), e);
        }
        check(example);
        boolean isExample = example.getParent() != null;
        return isExample && dry.getAsBoolean() ? ExitCode.OK : new RunLast().execute(options);
    }

    private static void check(CommandLine example) {
        refuseEmpty(example);
        try {
            check(example.getCommandSpec());
        } catch (Arguments.WrongArgument e) {
            throw new ParameterException(example, e.getMessage(), e);
        }
    }

    private static void check(CommandSpec options) {
        options.mixins().values().forEach(CheckedRun::check);
        if (options.userObject() instanceof Checked checked) {
            checked.check();
        }
    }

    /** No name, host or file is empty; a variable that a script forgot to set is. */
    private static void refuseEmpty(CommandLine example) {
        ParseResult given = example.getParseResult();
        Stream.concat(given.matchedOptions().stream(), given.matchedPositionals().stream())
                .filter(arg -> arg.originalStringValues().contains(""))
                .findFirst()
                .ifPresent(
                        arg -> {
                            throw new ParameterException(example, name(arg) + " is empty");
                        });
    }

    private static String name(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }
}
