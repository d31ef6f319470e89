/** Machinery behind the typed API; not exported. */
package io.github.verbs4j.internal;
