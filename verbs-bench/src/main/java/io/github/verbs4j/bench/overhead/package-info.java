/**
 * What a call costs on its way to a provider that does nothing: in C, through the typed API,
 * through verbs-ffi, and through JNI. Each class has the same loops, so that their times compare.
 */
package io.github.verbs4j.bench.overhead;
