/** What was measured, its statistics, and the table and HTML page that show them. */
package io.github.verbs4j.bench.report;
