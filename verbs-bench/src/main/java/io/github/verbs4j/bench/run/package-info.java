/** Plans the benchmarks and runs them, Java and C in turn. */
package io.github.verbs4j.bench.run;
