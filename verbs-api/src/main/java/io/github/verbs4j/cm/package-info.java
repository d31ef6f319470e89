/** The connection manager. */
package io.github.verbs4j.cm;
