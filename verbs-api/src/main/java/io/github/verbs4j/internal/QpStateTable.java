package io.github.verbs4j.internal;

import io.github.verbs4j.types.QpAttr;
import io.github.verbs4j.types.QpAttrMask;
import io.github.verbs4j.types.QpState;
import io.github.verbs4j.types.QpTransitionException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which steps a queue pair may take, and with which attributes: the rules of the InfiniBand
 * specification as Linux applies them, so that an EINVAL of ibv_modify_qp can be explained.
 *
 * <p>A driver may be stricter (values, resources) or, like Soft-iWARP, laxer: a finding explains a
 * failure, it does not forbid a call. The rules of the dynamically connected transport are those
 * that the mlx5 driver of Linux 6.1 checks itself ({@code modify_dci_qp_is_ok}, {@code
 * mlx5_ib_modify_dct}). Of other queue pairs of type DRIVER the rules are not known, so there is
 * never a finding about them.
 */
public final class QpStateTable {
    // Columns: from, to, types, required attributes, optional attributes. The state itself always
    // goes with a step. A step that is legal for every type of the specification has "*".
    private static final String TABLE =
            """
            RESET RESET | * | |
            RESET INIT  | RC UC XRC_SEND XRC_RECV | PKEY_INDEX PORT ACCESS_FLAGS |
            RESET INIT  | UD | PKEY_INDEX PORT QKEY |
            RESET INIT  | RAW_PACKET | PORT |
            INIT  RESET | * | |
            INIT  ERR   | * | |
            INIT  INIT  | * | |
            INIT  INIT  | RC UC XRC_SEND XRC_RECV | | PKEY_INDEX PORT ACCESS_FLAGS
            INIT  INIT  | UD | | PKEY_INDEX PORT QKEY
            INIT  RTR   | RC XRC_RECV | \
                AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER \
                | ALT_PATH ACCESS_FLAGS PKEY_INDEX
            INIT  RTR   | UC XRC_SEND | \
                AV PATH_MTU DEST_QPN RQ_PSN \
                | ALT_PATH ACCESS_FLAGS PKEY_INDEX
            INIT  RTR   | UD | | PKEY_INDEX QKEY
            INIT  RTR   | RAW_PACKET | |
            RTR   RESET | * | |
            RTR   ERR   | * | |
            RTR   RTS   | RC | \
                TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC \
                | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER
            RTR   RTS   | XRC_SEND | \
                TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC \
                | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            RTR   RTS   | XRC_RECV | \
                TIMEOUT SQ_PSN \
                | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER
            RTR   RTS   | UC | SQ_PSN | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            RTR   RTS   | UD | SQ_PSN | CUR_STATE QKEY
            RTR   RTS   | RAW_PACKET | | RATE_LIMIT
            RTS   RESET | * | |
            RTS   ERR   | * | |
            RTS   RTS   | RC XRC_RECV | \
                | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER
            RTS   RTS   | UC XRC_SEND | | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            RTS   RTS   | UD | | CUR_STATE QKEY
            RTS   RTS   | RAW_PACKET | | RATE_LIMIT
            RTS   SQD   | RC UC UD XRC_SEND XRC_RECV | | EN_SQD_ASYNC_NOTIFY
            RTS   SQD   | RAW_PACKET | |
            SQD   RESET | * | |
            SQD   ERR   | * | |
            SQD   RTS   | RC XRC_RECV | \
                | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE MIN_RNR_TIMER
            SQD   RTS   | UC XRC_SEND | | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            SQD   RTS   | UD | | CUR_STATE QKEY
            SQD   RTS   | RAW_PACKET | |
            SQD   SQD   | RC | \
                | PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC \
                ALT_PATH ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE
            SQD   SQD   | XRC_SEND | \
                | PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC ALT_PATH ACCESS_FLAGS \
                PKEY_INDEX PATH_MIG_STATE
            SQD   SQD   | XRC_RECV | \
                | PORT AV TIMEOUT MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX \
                MIN_RNR_TIMER PATH_MIG_STATE
            SQD   SQD   | UC | | AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE
            SQD   SQD   | UD | | PKEY_INDEX QKEY
            SQD   SQD   | RAW_PACKET | |
            SQE   RESET | * | |
            SQE   ERR   | * | |
            SQE   RTS   | UC | | CUR_STATE ACCESS_FLAGS
            SQE   RTS   | UD | | CUR_STATE QKEY
            SQE   RTS   | RC RAW_PACKET XRC_SEND XRC_RECV | |
            ERR   RESET | * | |
            ERR   ERR   | * | |
            RESET RESET | DCI | |
            RESET INIT  | DCI | PKEY_INDEX PORT |
            INIT  RESET | DCI | |
            INIT  INIT  | DCI | | PKEY_INDEX PORT
            INIT  RTR   | DCI | PATH_MTU | PKEY_INDEX AV
            INIT  ERR   | DCI | |
            RTR   RESET | DCI | |
            RTR   RTS   | DCI | \
                TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC | MIN_RNR_TIMER
            RTR   ERR   | DCI | |
            RTS   RESET | DCI | |
            RTS   RTS   | DCI | | MIN_RNR_TIMER
            RTS   ERR   | DCI | |
            SQE   RESET | DCI | |
            SQE   ERR   | DCI | |
            ERR   RESET | DCI | |
            ERR   ERR   | DCI | |
            RESET INIT  | DCT | PKEY_INDEX PORT ACCESS_FLAGS |
            INIT  RTR   | DCT | AV PATH_MTU MIN_RNR_TIMER |
            """;

    private static final Set<QpKind> SPECIFIED =
            EnumSet.complementOf(EnumSet.of(QpKind.DCI, QpKind.DCT, QpKind.DRIVER));
    private static final Map<Step, Masks> STEPS = parse();

    private record Step(QpKind kind, QpState from, QpState to) {}

    private record Masks(int required, int optional) {}

    private QpStateTable() {}

    private static Map<Step, Masks> parse() {
        Map<Step, Masks> steps = new HashMap<>();
        TABLE.lines()
                .forEach(
                        line -> {
                            String[] columns = line.split("\\|", -1);
                            String[] states = words(columns[0]);
                            QpState from = QpState.valueOf(states[0]);
                            QpState to = QpState.valueOf(states[1]);
                            Masks masks = new Masks(mask(columns[2]), mask(columns[3]));
                            for (QpKind kind : kinds(columns[1])) {
                                steps.put(new Step(kind, from, to), masks);
                            }
                        });
        return Map.copyOf(steps);
    }

    private static Set<QpKind> kinds(String column) {
        if (column.strip().equals("*")) {
            return SPECIFIED;
        }
        EnumSet<QpKind> kinds = EnumSet.noneOf(QpKind.class);
        Arrays.stream(words(column)).map(QpKind::valueOf).forEach(kinds::add);
        return kinds;
    }

    private static int mask(String column) {
        return Arrays.stream(words(column))
                .mapToInt(name -> QpAttrMask.valueOf(name).value())
                .reduce(0, (a, b) -> a | b);
    }

    private static boolean covers(QpKind kind, QpState from) {
        return kind != QpKind.DRIVER && from != QpState.UNKNOWN;
    }

    private static String[] words(String column) {
        String text = column.strip();
        return text.isEmpty() ? new String[0] : text.split(" +");
    }

    /**
     * What is wrong with a step.
     *
     * @param kind kind of the queue pair
     * @param from state it is in
     * @param to state asked for
     * @param legal whether the step is legal at all; if not, both masks are 0
     * @param missing required attributes that are not set, as {@link QpAttrMask} bits
     * @param disallowed attributes that are set and not taken; may hold bits without a name
     */
    public record Result(
            QpKind kind, QpState from, QpState to, boolean legal, int missing, int disallowed) {

        /** {@return whether nothing is wrong: a failure has other reasons, such as values} */
        public boolean ok() {
            return legal && missing == 0 && disallowed == 0;
        }

        /**
         * Makes the exception that says what is wrong.
         *
         * @param errno what ibv_modify_qp returned
         * @param attr what was asked for
         * @return the exception, to throw
         */
        public QpTransitionException toException(int errno, QpAttr attr) {
            return new QpTransitionException(
                    errno,
                    kind.type(),
                    kind.name(),
                    from,
                    to,
                    next(kind, from),
                    QpAttrMask.of(missing),
                    QpAttrMask.of(disallowed),
                    attr);
        }
    }

    /**
     * Checks a step.
     *
     * @param kind kind of the queue pair
     * @param from state it is in
     * @param to state asked for; {@code from} if the mask does not hold STATE
     * @param mask attributes that are set
     * @return what is wrong, if anything
     */
    public static Result check(QpKind kind, QpState from, QpState to, int mask) {
        if (!covers(kind, from)) {
            return new Result(kind, from, to, true, 0, 0);
        }
        Masks masks = STEPS.get(new Step(kind, from, to));
        if (masks == null) {
            return new Result(kind, from, to, false, 0, 0);
        }
        int taken = masks.required | masks.optional | QpAttrMask.STATE.value();
        return new Result(kind, from, to, true, masks.required & ~mask, mask & ~taken);
    }

    /**
     * Lists the states that may follow.
     *
     * @param kind kind of the queue pair
     * @param from state it is in
     * @return the states, a new set; all of them for kind DRIVER and from UNKNOWN
     */
    public static Set<QpState> next(QpKind kind, QpState from) {
        EnumSet<QpState> states = EnumSet.noneOf(QpState.class);
        for (QpState to : QpState.values()) {
            if (!covers(kind, from) || STEPS.containsKey(new Step(kind, from, to))) {
                states.add(to);
            }
        }
        return states;
    }

    /**
     * Returns what a step requires.
     *
     * @param kind kind of the queue pair
     * @param from state it is in
     * @param to state asked for
     * @return attributes beside STATE; empty if there are none or the step is not legal
     */
    public static EnumSet<QpAttrMask> required(QpKind kind, QpState from, QpState to) {
        Masks masks = STEPS.get(new Step(kind, from, to));
        return QpAttrMask.of(masks == null ? 0 : masks.required);
    }

    /**
     * Returns what a step takes without requiring it.
     *
     * @param kind kind of the queue pair
     * @param from state it is in
     * @param to state asked for
     * @return attributes; empty if there are none or the step is not legal
     */
    public static EnumSet<QpAttrMask> optional(QpKind kind, QpState from, QpState to) {
        Masks masks = STEPS.get(new Step(kind, from, to));
        return QpAttrMask.of(masks == null ? 0 : masks.optional);
    }
}
