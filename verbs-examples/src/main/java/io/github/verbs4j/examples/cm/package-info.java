/** Examples of the connection manager: twins of the tools of librdmacm. */
package io.github.verbs4j.examples.cm;
