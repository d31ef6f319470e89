/** A key-value store that is read without its server's doing. */
package io.github.verbs4j.examples.kv;
