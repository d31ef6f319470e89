package io.github.verbs4j.types;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A queue pair refused to change state, because the step itself is not allowed or because
 * attributes are missing or out of place.
 */
public class QpTransitionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Type of the queue pair. */
    private final QpType type;

    /** State it was in. */
    private final QpState from;

    /** State asked for. */
    private final QpState to;

    /** Required bits that were not set. */
    private final int missing;

    /** Bits set and not taken. */
    private final int disallowed;

    /**
     * Makes an exception.
     *
     * @param errno the error number, usually {@link Errno#EINVAL}
     * @param type type of the queue pair
     * @param from state it was in
     * @param to state that was asked for
     * @param legalNext states that may follow {@code from}; if {@code to} is not one of them the
     *     message lists them
     * @param missing attributes that the step requires and that were not set
     * @param disallowed attributes that were set and that the step does not take
     * @param attr what was asked for
     */
    public QpTransitionException(
            int errno,
            QpType type,
            QpState from,
            QpState to,
            Set<QpState> legalNext,
            Set<QpAttrMask> missing,
            Set<QpAttrMask> disallowed,
            QpAttr attr) {
        this(errno, type, type.toString(), from, to, legalNext, missing, disallowed, attr);
    }

    /**
     * Makes an exception about a queue pair that its type does not tell enough of.
     *
     * @param errno the error number, usually {@link Errno#EINVAL}
     * @param type type of the queue pair
     * @param kind what the message calls it, such as DCI
     * @param from state it was in
     * @param to state that was asked for
     * @param legalNext states that may follow {@code from}; if {@code to} is not one of them the
     *     message lists them
     * @param missing attributes that the step requires and that were not set
     * @param disallowed attributes that were set and that the step does not take
     * @param attr what was asked for
     */
    public QpTransitionException(
            int errno,
            QpType type,
            String kind,
            QpState from,
            QpState to,
            Set<QpState> legalNext,
            Set<QpAttrMask> missing,
            Set<QpAttrMask> disallowed,
            QpAttr attr) {
        super("ibv_modify_qp", errno, detail(kind, from, to, legalNext, missing, disallowed, attr));
        this.type = type;
        this.from = from;
        this.to = to;
        this.missing = QpAttrMask.bits(missing);
        this.disallowed = QpAttrMask.bits(disallowed);
    }

    private static String detail(
            String kind,
            QpState from,
            QpState to,
            Set<QpState> legalNext,
            Set<QpAttrMask> missing,
            Set<QpAttrMask> disallowed,
            QpAttr attr) {
        StringBuilder text = new StringBuilder();
        text.append(kind).append(" queue pair, ").append(from).append(" to ").append(to);
        if (!legalNext.contains(to)) {
            text.append(" is not a legal step, possible from ").append(from).append(": ");
            text.append(legalNext.isEmpty() ? "none" : join(legalNext));
        }
        if (!missing.isEmpty()) {
            text.append(", missing ").append(cNames(missing));
        }
        if (!disallowed.isEmpty()) {
            text.append(", not allowed ").append(cNames(disallowed));
        }
        return text.append("; asked for ").append(attr).toString();
    }

    private static String join(Set<QpState> states) {
        return states.stream().map(QpState::name).collect(Collectors.joining(", "));
    }

    private static String cNames(Set<QpAttrMask> mask) {
        return mask.stream().map(QpAttrMask::cName).collect(Collectors.joining(" | "));
    }

    /** {@return the type of the queue pair} */
    public QpType type() {
        return type;
    }

    /** {@return the state the queue pair was in} */
    public QpState from() {
        return from;
    }

    /** {@return the state that was asked for} */
    public QpState to() {
        return to;
    }

    /** {@return the attributes that were required and not set; a new set} */
    public EnumSet<QpAttrMask> missing() {
        return QpAttrMask.of(missing);
    }

    /** {@return the attributes that were set and are not taken; a new set} */
    public EnumSet<QpAttrMask> disallowed() {
        return QpAttrMask.of(disallowed);
    }
}
