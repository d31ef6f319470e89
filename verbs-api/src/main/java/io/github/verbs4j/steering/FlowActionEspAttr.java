package io.github.verbs4j.steering;

import io.github.verbs4j.ffi.ib_uverbs_flow_action_esp;
import io.github.verbs4j.ffi.ib_uverbs_flow_action_esp_encap;
import io.github.verbs4j.ffi.ib_uverbs_flow_action_esp_replay_bmp;
import io.github.verbs4j.ffi.ibv_flow_action_esp_attr;
import io.github.verbs4j.ffi.verbs_h;
import io.github.verbs4j.internal.Check;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;

/**
 * Parameters of an ESP action: C's {@code struct ibv_flow_action_esp_attr}. Copied by the call.
 * When an action is modified, what was not set stays as it is.
 */
public final class FlowActionEspAttr {

    private final EnumSet<EspFlag> flags = EnumSet.noneOf(EspFlag.class);
    private boolean espSet;
    private int spi;
    private int seq;
    private int tfcPad;
    private long hardLimitPkts;
    private AesGcmKeymat keymat;
    private boolean replaySet;
    private int replayWindow;
    private List<FilterSpec> encap = List.of();
    private Integer esn;

    /** Nothing set. */
    public FlowActionEspAttr() {}

    /**
     * The security parameters index, for full offload.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowActionEspAttr spi(int value) {
        spi = value;
        espSet = true;
        return this;
    }

    /**
     * The first sequence number, its lower half, for full offload.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowActionEspAttr seq(int value) {
        seq = value;
        espSet = true;
        return this;
    }

    /**
     * Padding that hides how long packets are, for full offload.
     *
     * @param bytes 0 for none
     * @return this
     */
    public FlowActionEspAttr tfcPad(int bytes) {
        tfcPad = (int) Check.range("tfcPad", bytes, 0, Integer.MAX_VALUE);
        espSet = true;
        return this;
    }

    /**
     * How the action works.
     *
     * @param newFlags the flags, in place of those set before
     * @return this
     */
    public FlowActionEspAttr flags(EspFlag... newFlags) {
        flags.clear();
        flags.addAll(List.of(newFlags));
        espSet = true;
        return this;
    }

    /**
     * After so many packets the action takes no more, for full offload.
     *
     * @param packets unsigned; 0 for no limit
     * @return this
     */
    public FlowActionEspAttr hardLimitPkts(long packets) {
        hardLimitPkts = packets;
        espSet = true;
        return this;
    }

    /**
     * The key.
     *
     * @param material the key material
     * @return this
     */
    public FlowActionEspAttr keymat(AesGcmKeymat material) {
        keymat = material;
        return this;
    }

    /**
     * Drops packets that come twice, by a bitmap of those seen, for full offload.
     *
     * @param packets the size of the window ({@code ib_uverbs_flow_action_esp_replay_bmp})
     * @return this
     */
    public FlowActionEspAttr replayBmp(int packets) {
        replayWindow = (int) Check.range("replay window", packets, 0, Integer.MAX_VALUE);
        replaySet = true;
        return this;
    }

    /**
     * The headers that packets are put into, for full offload: their values count, masks do not.
     *
     * @param headers from the outermost
     * @return this
     */
    public FlowActionEspAttr espEncap(FilterSpec... headers) {
        encap = List.of(headers);
        return this;
    }

    /**
     * The first extended sequence number, its upper half.
     *
     * @param value 32 bits
     * @return this
     */
    public FlowActionEspAttr esn(int value) {
        esn = value;
        return this;
    }

    MemorySegment encode(Arena arena) {
        MemorySegment attr = ibv_flow_action_esp_attr.allocate(arena);
        if (espSet) {
            ibv_flow_action_esp_attr.esp_attr(attr, encodeEsp(arena));
        }
        if (keymat != null) {
            MemorySegment material = keymat.encode(arena);
            ibv_flow_action_esp_attr.keymat_proto(
                    attr, verbs_h.IB_UVERBS_FLOW_ACTION_ESP_KEYMAT_AES_GCM());
            ibv_flow_action_esp_attr.keymat_len(attr, (short) material.byteSize());
            ibv_flow_action_esp_attr.keymat_ptr(attr, material);
        }
        if (replaySet) {
            MemorySegment replay = ib_uverbs_flow_action_esp_replay_bmp.allocate(arena);
            ib_uverbs_flow_action_esp_replay_bmp.size(replay, replayWindow);
            ibv_flow_action_esp_attr.replay_proto(
                    attr, verbs_h.IB_UVERBS_FLOW_ACTION_ESP_REPLAY_BMP());
            ibv_flow_action_esp_attr.replay_len(attr, (short) replay.byteSize());
            ibv_flow_action_esp_attr.replay_ptr(attr, replay);
        }
        ibv_flow_action_esp_attr.esp_encap(attr, encodeEncap(arena));
        if (esn != null) {
            ibv_flow_action_esp_attr.comp_mask(attr, verbs_h.IBV_FLOW_ACTION_ESP_MASK_ESN());
            ibv_flow_action_esp_attr.esn(attr, esn);
        }
        return attr;
    }

    private MemorySegment encodeEsp(Arena arena) {
        MemorySegment esp = ib_uverbs_flow_action_esp.allocate(arena);
        ib_uverbs_flow_action_esp.spi(esp, spi);
        ib_uverbs_flow_action_esp.seq(esp, seq);
        ib_uverbs_flow_action_esp.tfc_pad(esp, tfcPad);
        ib_uverbs_flow_action_esp.flags(esp, EspFlag.bits(flags));
        ib_uverbs_flow_action_esp.hard_limit_pkts(esp, hardLimitPkts);
        return esp;
    }

    private MemorySegment encodeEncap(Arena arena) {
        MemorySegment next = MemorySegment.NULL;
        for (FilterSpec header : encap.reversed()) {
            MemorySegment filter = header.encodeValue(arena);
            MemorySegment link = ib_uverbs_flow_action_esp_encap.allocate(arena);
            ib_uverbs_flow_action_esp_encap.val_ptr(link, filter);
            ib_uverbs_flow_action_esp_encap.next_ptr(link, next);
            ib_uverbs_flow_action_esp_encap.len(link, (short) filter.byteSize());
            ib_uverbs_flow_action_esp_encap.type(link, (short) header.type());
            next = link;
        }
        return next;
    }
}
