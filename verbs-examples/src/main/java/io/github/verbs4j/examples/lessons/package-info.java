/** Lessons: one idea each, two or more peers in one process, every byte verified. */
package io.github.verbs4j.examples.lessons;
