/** What the examples share: options, one line per failure, tables. */
package io.github.verbs4j.examples.cli;
