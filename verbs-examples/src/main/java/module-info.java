/** One program with a subcommand per example: {@code scripts/verbs --list} names them. */
module io.github.verbs4j.examples {
    requires info.picocli;
    requires io.github.verbs4j;

    // The command-line parser fills the annotated fields.
    opens io.github.verbs4j.examples to
            info.picocli;
    opens io.github.verbs4j.examples.cli to
            info.picocli;
    opens io.github.verbs4j.examples.cm to
            info.picocli;
    opens io.github.verbs4j.examples.demo to
            info.picocli;
    opens io.github.verbs4j.examples.device to
            info.picocli;
    opens io.github.verbs4j.examples.kv to
            info.picocli;
    opens io.github.verbs4j.examples.lessons to
            info.picocli;
    opens io.github.verbs4j.examples.pingpong to
            info.picocli;
    opens io.github.verbs4j.examples.tutorial to
            info.picocli;
}
