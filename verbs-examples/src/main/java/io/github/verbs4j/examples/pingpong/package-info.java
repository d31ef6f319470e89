/** Messages back and forth: twins of the C ping-pong tools. */
package io.github.verbs4j.examples.pingpong;
