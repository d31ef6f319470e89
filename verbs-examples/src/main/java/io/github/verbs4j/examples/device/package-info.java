/** What devices are and can do: twins of ibv_devices and ibv_devinfo. */
package io.github.verbs4j.examples.device;
