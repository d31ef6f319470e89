package io.github.verbs4j.examples.cli;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what went wrong in one line on standard error; {@code --trace} adds where. Wrong options
 * have an exit status of their own.
 */
public final class Failures
        implements CommandLine.IExecutionExceptionHandler, CommandLine.IParameterExceptionHandler {

    /** The system property that {@code --trace} stands for. */
    static final String TRACE = "verbs4j.trace";

    @Override
    public int handleExecutionException(Exception e, CommandLine example, ParseResult options) {
        boolean wrongOption = e instanceof Arguments.WrongArgument;
        return report(e, example, wrongOption ? ExitCode.USAGE : ExitCode.SOFTWARE);
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        // An option's method that throws refuses the option itself, and says why.
        Exception said = e.getCause() instanceof Arguments.WrongArgument refusal ? refusal : e;
        return report(said, e.getCommandLine(), ExitCode.USAGE);
    }

    private static int report(Exception e, CommandLine example, int status) {
        String line = describe(e).replaceFirst("^Error: ", "").replaceAll("\\s*\\R\\s*", " ");
        String hint = status == ExitCode.USAGE ? " (--help explains)" : "";
        example.getErr().println(example.getCommandName() + ": " + line + hint);
        if (Boolean.getBoolean(TRACE)) {
            e.printStackTrace(example.getErr());
        }
        return status;
    }

    /** {@return the message, if it is a sentence for the user, else also what it is that has it} */
    public static String describe(Exception e) {
        if (e instanceof UnmatchedArgumentException unmatched
                && unmatched.getCommandLine().getParent() == null
                && !unmatched.isUnknownOption()) {
            return "there is no example " + unmatched.getUnmatched().getFirst();
        }
        String message = e.getMessage();
        return message != null && message.indexOf(' ') > 0 ? message : e.toString();
    }
}
