package io.github.verbs4j.cm;

/**
 * How far an id has come. librdmacm keeps this to itself, and some calls crash it in the wrong
 * state; {@link CmId} refuses them.
 */
public enum CmState {
    /** New. Next: {@code bindAddr}, {@code resolveAddr} or {@code listen}. */
    IDLE,
    /** Has a local address. Next: {@code resolveAddr} or {@code listen}. */
    BOUND,
    /** Receives connection requests. */
    LISTENING,
    /** Waits for ADDR_RESOLVED. */
    RESOLVING_ADDR,
    /** Has a device. Next: {@code createQp} and {@code resolveRoute}. */
    ADDR_RESOLVED,
    /** Waits for ROUTE_RESOLVED. */
    RESOLVING_ROUTE,
    /** Next: {@code createQp} and {@code connect}. */
    ROUTE_RESOLVED,
    /** Waits for the peer's answer. */
    CONNECTING,
    /** The peer accepted. Next: {@code establish}. */
    RESPONDED,
    /** A peer asks. Next: {@code createQp} and {@code accept}, or {@code reject}. */
    REQUESTED,
    /** Accepted; waits for ESTABLISHED. */
    ACCEPTED,
    /** Connected. */
    CONNECTED,
    /** Disconnected by either side. */
    DISCONNECTED,
    /** Rejected by this side. Only {@code close} is left. */
    REJECTED,
    /** Rejected by the peer, unreachable, or the device is gone. Only {@code close} is left. */
    FAILED
}
