package io.github.verbs4j.examples.cli;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

/** Says why an example failed in one line on standard error; {@code --trace} adds where. */
public final class Failures implements CommandLine.IExecutionExceptionHandler {

    /** The system property that {@code --trace} stands for. */
    public static final String TRACE = "verbs4j.trace";

    @Override
    public int handleExecutionException(Exception e, CommandLine example, ParseResult options) {
        example.getErr().println(example.getCommandName() + ": " + describe(e));
        if (Boolean.getBoolean(TRACE)) {
            e.printStackTrace(example.getErr());
        }
        if (e instanceof Arguments.WrongArgument) {
            example.usage(example.getErr());
            return ExitCode.USAGE;
        }
        return ExitCode.SOFTWARE;
    }

    private static String describe(Exception e) {
        String message = e.getMessage();
        boolean sentence = message != null && message.indexOf(' ') > 0;
        return (sentence ? message : e.toString()).replaceAll("\\s*\\R\\s*", " ");
    }
}
