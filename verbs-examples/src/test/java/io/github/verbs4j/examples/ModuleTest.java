package io.github.verbs4j.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** As a module, the program works only if the parser may see every class with options. */
class ModuleTest {

    @Test
    void packagesWithOptionsAreOpenToTheParser() throws Exception {
        Set<String> needed = new TreeSet<>();
        CommandLine program = Main.commandLine();
        Stream.concat(Stream.of(program), program.getSubcommands().values().stream())
                .map(CommandLine::getCommandSpec)
                .forEach(spec -> collect(spec, needed));

        Path classes =
                Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor module = ModuleFinder.of(classes).findAll().iterator().next().descriptor();
        assertEquals(
                needed,
                module.opens().stream()
                        .map(ModuleDescriptor.Opens::source)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static void collect(CommandSpec spec, Set<String> packages) {
        packages.add(spec.userObject().getClass().getPackageName());
        spec.mixins().values().stream()
                .filter(mixin -> mixin.userObject() != null)
                .filter(mixin -> !mixin.userObject().getClass().getName().startsWith("picocli."))
                .forEach(mixin -> collect(mixin, packages));
    }
}
