package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.verbs4j.examples.testing.Example;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Whatever is wrong on the command line of whichever example: status 2 and one line. */
class WrongUseTest {

    /** What an example does not run without. */
    private static final Map<String, List<String>> NEEDED =
            Map.of(
                    "rping", List.of("-s"),
                    "mckey", List.of("-m", "239.1.2.3"),
                    "read-write", List.of("write"));

    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, long.class, Integer.class, Long.class);

    private static final List<String> NO_NUMBERS = List.of("x", "-1", "99999999999999999999");

    /** Any text may be a name; whether it is one, only the run can tell. */
    private static final Set<Class<?>> NAMES = Set.of(String.class, Path.class);

    static Set<String> everyExample() {
        return Main.commandLine().getSubcommands().keySet();
    }

    private static CommandSpec spec(String example) {
        return Main.commandLine().getSubcommands().get(example).getCommandSpec();
    }

    private static Stream<OptionSpec> optionsWithValue(String example) {
        return spec(example).options().stream().filter(option -> option.arity().min() > 0);
    }

    private static Class<?> type(ArgSpec arg) {
        return arg.auxiliaryTypes()[0];
    }

    private static void assertRefused(String example, List<String> words) throws Exception {
        List<String> command = new ArrayList<>(List.of("--dry-run", example));
        command.addAll(NEEDED.getOrDefault(example, List.of()));
        command.addAll(words);
        try {
            Example.run(command.toArray(String[]::new)).failed(2, example + ": ");
        } catch (AssertionError e) {
            throw new AssertionError(String.join(" ", command), e);
        }
    }

    @Test
    void whatAnExampleNeedsIsAllThatItNeeds() throws Exception {
        for (String example : everyExample()) {
            List<String> command = new ArrayList<>(List.of("--dry-run", example));
            command.addAll(NEEDED.getOrDefault(example, List.of()));
            assertEquals("", Example.run(command.toArray(String[]::new)).succeeded().out());
        }
        for (String example : NEEDED.keySet()) {
            Example.run("--dry-run", example).failed(2, example + ": Missing required ");
        }
    }

    @ParameterizedTest
    @MethodSource("everyExample")
    void anUnknownOptionIsRefused(String example) throws Exception {
        assertRefused(example, List.of("--nosuch"));
        assertRefused(example, List.of("-?"));
    }

    @ParameterizedTest
    @MethodSource("everyExample")
    void anOptionWithoutItsValueIsRefused(String example) throws Exception {
        for (OptionSpec option : optionsWithValue(example).toList()) {
            assertRefused(example, List.of(option.longestName()));
            assertRefused(example, List.of(option.longestName(), ""));
        }
    }

    @ParameterizedTest
    @MethodSource("everyExample")
    void aValueThatIsNoneOfTheOptionIsRefused(String example) throws Exception {
        for (OptionSpec option : optionsWithValue(example).toList()) {
            if (NUMBERS.contains(type(option))) {
                for (String value : NO_NUMBERS) {
                    assertRefused(example, List.of(option.longestName(), value));
                }
            } else if (!NAMES.contains(type(option))) {
                assertRefused(example, List.of(option.longestName(), "nosuch"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("everyExample")
    void anOptionThatIsNotSupportedIsRefused(String example) throws Exception {
        for (OptionSpec option : spec(example).options()) {
            if (option.hidden()) {
                List<String> words = new ArrayList<>(List.of(option.shortestName()));
                words.addAll(Collections.nCopies(option.arity().min(), "x"));
                assertRefused(example, words);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("everyExample")
    void anArgumentTooManyIsRefused(String example) throws Exception {
        List<PositionalParamSpec> arguments = spec(example).positionalParameters();
        if (arguments.stream().noneMatch(arg -> arg.index().isVariable())) {
            assertRefused(example, Collections.nCopies(arguments.size() + 1, "1"));
        }
    }

    @Test
    void aNumberedArgumentIsChecked() throws Exception {
        for (String example : List.of("basic-client-server", "read-write")) {
            assertRefused(example, List.of("host"));
            for (String port : List.of("x", "0", "-1", "65536")) {
                assertRefused(example, List.of("host", port));
            }
        }
        assertRefused("file-transfer", List.of("host"));
        Example.run("--dry-run", "read-write", "push").failed(2, "read-write: ");
    }

    @Test
    void ofTheProgramItself() throws Exception {
        Example.run("--nosuch").failed(2, "verbs: Unknown option: '--nosuch'");
        Example.run("nosuch").failed(2, "verbs: there is no example nosuch");
        Example.run("--list", "nosuch").failed(2, "verbs: there is no example nosuch");
        assertFalse(everyExample().isEmpty());
    }
}
