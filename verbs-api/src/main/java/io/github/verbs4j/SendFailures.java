package io.github.verbs4j;

import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.PostException;

/** What an errno of {@code ibv_post_send} means. */
final class SendFailures {

    private SendFailures() {}

    static PostException of(int errno) {
        return new PostException("ibv_post_send", errno, detail(errno));
    }

    /** Of a chain; {@code index} is the first request that was not posted, −1 when unknown. */
    static PostException of(int errno, int index) {
        return new PostException("ibv_post_send", errno, index, detail(errno));
    }

    private static String detail(int errno) {
        return switch (errno) {
            case Errno.ENOMEM ->
                    "the send queue is full; poll completions to free it (an unsignaled request is"
                            + " freed by a later signaled one)";
            case Errno.EINVAL -> "an operation, flag or element that the device does not take";
            default -> "";
        };
    }
}
