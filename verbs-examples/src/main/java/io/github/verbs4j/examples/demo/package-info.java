/** The seven operations of a reliable connection, side by side. */
package io.github.verbs4j.examples.demo;
