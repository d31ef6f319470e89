package io.github.verbs4j.bench.device;

/** By which functions requests are posted and completions taken. */
public enum Way {
    /** ibv_post_send and ibv_poll_cq. */
    CLASSIC,
    /** ibv_wr_* and ibv_start_poll. */
    EXTENDED,
    /** As CLASSIC, but waiting for the event of a completion channel rather than polling. */
    EVENTS
}
