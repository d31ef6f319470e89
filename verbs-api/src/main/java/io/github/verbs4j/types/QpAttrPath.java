package io.github.verbs4j.types;

import java.util.Objects;

/** The path that packets take, and the alternate one, to be set: a part of {@link QpAttr}. */
abstract sealed class QpAttrPath extends QpAttrValues permits QpAttr {

    /**
     * Sets the address of the peer ({@code ah_attr}).
     *
     * @param ahAttr the address; copied
     * @return this
     */
    public QpAttr ahAttr(AhAttr ahAttr) {
        this.ahAttr = ahAttr.copy();
        return set(QpAttrMask.AV);
    }

    /**
     * Sets the largest payload of a packet; both peers must use the same ({@code path_mtu}).
     *
     * @param pathMtu at most the active MTU of both ports
     * @return this
     */
    public QpAttr pathMtu(Mtu pathMtu) {
        this.pathMtu = known(pathMtu, "pathMtu", Mtu.UNRECOGNIZED);
        return set(QpAttrMask.PATH_MTU);
    }

    /**
     * Sets the state of path migration ({@code path_mig_state}).
     *
     * @param pathMigState the state
     * @return this
     */
    public QpAttr pathMigState(MigState pathMigState) {
        this.pathMigState = known(pathMigState, "pathMigState", MigState.UNRECOGNIZED);
        return set(QpAttrMask.PATH_MIG_STATE);
    }

    /**
     * Sets the address of the peer on the alternate path ({@code alt_ah_attr}).
     *
     * @param altAhAttr the address; copied
     * @return this
     */
    public QpAttr altAhAttr(AhAttr altAhAttr) {
        this.altAhAttr = altAhAttr.copy();
        return set(QpAttrMask.ALT_PATH);
    }

    /**
     * Sets the partition key index of the alternate path ({@code alt_pkey_index}).
     *
     * @param altPkeyIndex 0 to 65535
     * @return this
     */
    public QpAttr altPkeyIndex(int altPkeyIndex) {
        this.altPkeyIndex = Text.range("ibv_qp_attr.alt_pkey_index", altPkeyIndex, 0, 0xffff);
        return set(QpAttrMask.ALT_PATH);
    }

    /**
     * Sets the local port of the alternate path ({@code alt_port_num}).
     *
     * @param altPortNum 1 to the device's number of ports; a query may give 0
     * @return this
     */
    public QpAttr altPortNum(int altPortNum) {
        this.altPortNum = Text.range("ibv_qp_attr.alt_port_num", altPortNum, 0, 255);
        return set(QpAttrMask.ALT_PATH);
    }

    /**
     * Sets the acknowledgement timeout of the alternate path ({@code alt_timeout}).
     *
     * @param altTimeout the timeout
     * @return this
     */
    public QpAttr altTimeout(AckTimeout altTimeout) {
        this.altTimeout = Objects.requireNonNull(altTimeout, "altTimeout");
        return set(QpAttrMask.ALT_PATH);
    }

    final QpAttr set(QpAttrMask attribute) {
        mask |= attribute.value();
        return (QpAttr) this; // the only class that is one
    }

    static <T> T known(T value, String what, T unrecognized) {
        if (Objects.requireNonNull(value, what) == unrecognized) {
            throw new IllegalArgumentException(
                    value.getClass().getSimpleName() + ".UNRECOGNIZED cannot be set");
        }
        return value;
    }
}
