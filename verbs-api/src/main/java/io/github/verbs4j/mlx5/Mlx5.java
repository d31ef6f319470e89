package io.github.verbs4j.mlx5;

import io.github.verbs4j.CompletionQueue;
import io.github.verbs4j.Context;
import io.github.verbs4j.Device;
import io.github.verbs4j.ProtectionDomain;
import io.github.verbs4j.QpInitAttrEx;
import io.github.verbs4j.QueuePairEx;
import io.github.verbs4j.SharedReceiveQueue;
import io.github.verbs4j.ffi.Mlx5Verbs;
import io.github.verbs4j.ffi.NativeLibrary;
import io.github.verbs4j.ffi.NativeLibraryMissingException;
import io.github.verbs4j.ffi.ibv_context;
import io.github.verbs4j.ffi.mlx5.mlx5dv_context;
import io.github.verbs4j.ffi.mlx5.mlx5dv_dc_init_attr;
import io.github.verbs4j.ffi.mlx5.mlx5dv_dci_streams;
import io.github.verbs4j.ffi.mlx5.mlx5dv_dci_streams_caps;
import io.github.verbs4j.ffi.mlx5.mlx5dv_h;
import io.github.verbs4j.ffi.mlx5.mlx5dv_qp_init_attr;
import io.github.verbs4j.internal.Check;
import io.github.verbs4j.internal.NativeHandle;
import io.github.verbs4j.internal.QpKind;
import io.github.verbs4j.internal.Structs;
import io.github.verbs4j.types.Errno;
import io.github.verbs4j.types.OdpTransportCap;
import io.github.verbs4j.types.QpType;
import io.github.verbs4j.types.UnsupportedVerbException;
import io.github.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The verbs that the mlx5 provider has of its own: C's {@code mlx5dv_…}. Safe for any thread. */
public final class Mlx5 {

    private Mlx5() {}

    /**
     * Tells whether a device is one of mlx5.
     *
     * @param device the device
     * @return false for another device's, and where libmlx5 is not installed: libibverbs lists no
     *     device of it then
     * @throws UnsupportedVerbException rdma-core is older than 22
     * @throws VerbsException ENODEV: the device is gone
     * @verbs.calls mlx5dv_is_supported
     */
    public static boolean isSupported(Device device) {
        Objects.requireNonNull(device, "device");
        try {
            NativeLibrary.MLX5.load();
        } catch (NativeLibraryMissingException _) {
            return false;
        }
        return Friend.MAIN.within(
                device,
                "mlx5dv_is_supported",
                pointer -> Check.present(() -> Mlx5Verbs.mlx5dv_is_supported(pointer)));
    }

    /**
     * Tells what a device can do for the dynamically connected transport.
     *
     * @param context the device's
     * @return its capabilities; whether it has the transport shows when a queue pair is created
     * @throws io.github.verbs4j.types.LibraryMissingException libmlx5 is not installed
     * @throws UnsupportedVerbException the device is not one of mlx5
     * @throws VerbsException when the device does not answer
     * @verbs.calls mlx5dv_is_supported, mlx5dv_query_device
     */
    public static DcCaps queryDcCaps(Context context) {
        NativeHandle handle = require("mlx5dv_query_device", context);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attrs = mlx5dv_context.allocate(arena);
            mlx5dv_context.comp_mask(
                    attrs,
                    mlx5dv_h.MLX5DV_CONTEXT_MASK_DC_ODP_CAPS()
                            | mlx5dv_h.MLX5DV_CONTEXT_MASK_DCI_STREAMS());
            Check.zero(
                    "mlx5dv_query_device",
                    handle.call(ctx -> Mlx5Verbs.mlx5dv_query_device(ctx, attrs)));
            // What the provider does not know it leaves as it was: 0.
            MemorySegment streams = mlx5dv_context.dci_streams_caps(attrs);
            return new DcCaps(
                    OdpTransportCap.of(mlx5dv_context.dc_odp_caps(attrs)),
                    Byte.toUnsignedInt(mlx5dv_dci_streams_caps.max_log_num_concurent(streams)),
                    Byte.toUnsignedInt(mlx5dv_dci_streams_caps.max_log_num_errored(streams)));
        }
    }

    /**
     * Creates a DC initiator, in state RESET.
     *
     * @param pd its domain
     * @param attr its completion queue, operations and capabilities
     * @return the initiator; close it
     * @throws IllegalArgumentException when the completion queue belongs to another context, or the
     *     device has fewer streams
     * @throws io.github.verbs4j.types.LibraryMissingException libmlx5 is not installed
     * @throws UnsupportedVerbException the device is not one of mlx5, or lacks DC, streams or an
     *     operation
     * @throws VerbsException EINVAL: a capability above the device's limit, which the message
     *     names; ENOMEM: not enough memory, or more than RLIMIT_MEMLOCK allows
     * @verbs.calls mlx5dv_is_supported, mlx5dv_query_device, mlx5dv_create_qp,
     *     mlx5dv_qp_ex_from_ibv_qp_ex, ibv_qp_to_qp_ex
     */
    public static Dci createDci(ProtectionDomain pd, DciInitAttr attr) {
        Objects.requireNonNull(attr, "attr");
        require("mlx5dv_create_qp", pd.context());
        if (attr.hasStreams()) {
            requireStreams(pd.context(), attr);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment dc = dcAttr(arena, mlx5dv_h.MLX5DV_DCTYPE_DCI());
            if (attr.hasStreams()) {
                long mask = mlx5dv_qp_init_attr.comp_mask(dc);
                mlx5dv_qp_init_attr.comp_mask(
                        dc, mask | mlx5dv_h.MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS());
                MemorySegment init = mlx5dv_qp_init_attr.dc_init_attr(dc);
                MemorySegment streams = mlx5dv_dc_init_attr.dci_streams(init);
                mlx5dv_dci_streams.log_num_concurent(streams, (byte) attr.logNumConcurrent());
                mlx5dv_dci_streams.log_num_errored(streams, (byte) attr.logNumErrored());
            }
            return new Dci(create(pd, attr.common(), QpKind.DCI, dc, attr.hasStreams()));
        }
    }

    /**
     * Creates a DC target, in state RESET.
     *
     * @param pd its domain
     * @param cq takes the completions of its receives
     * @param srq where its receives come from
     * @param accessKey what requests must present, any 64 bits
     * @return the target; close it
     * @throws IllegalArgumentException when a queue belongs to another context
     * @throws io.github.verbs4j.types.LibraryMissingException libmlx5 is not installed
     * @throws UnsupportedVerbException the device is not one of mlx5, or lacks DC
     * @throws VerbsException EINVAL; ENOMEM: the device has no more
     * @verbs.calls mlx5dv_is_supported, mlx5dv_create_qp
     */
    public static Dct createDct(
            ProtectionDomain pd, CompletionQueue cq, SharedReceiveQueue srq, long accessKey) {
        Objects.requireNonNull(srq, "srq");
        require("mlx5dv_create_qp", pd.context());
        QpInitAttrEx attr = new QpInitAttrEx(QpType.DRIVER, cq);
        attr.maxSendWr(0).maxSendSge(0).maxRecvWr(0).maxRecvSge(0).srq(srq);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment dc = dcAttr(arena, mlx5dv_h.MLX5DV_DCTYPE_DCT());
            mlx5dv_dc_init_attr.dct_access_key(mlx5dv_qp_init_attr.dc_init_attr(dc), accessKey);
            return new Dct(create(pd, attr, QpKind.DCT, dc, false), accessKey);
        }
    }

    private static MemorySegment dcAttr(Arena arena, int type) {
        MemorySegment dc = mlx5dv_qp_init_attr.allocate(arena);
        mlx5dv_qp_init_attr.comp_mask(dc, mlx5dv_h.MLX5DV_QP_INIT_ATTR_MASK_DC());
        mlx5dv_dc_init_attr.dc_type(mlx5dv_qp_init_attr.dc_init_attr(dc), type);
        return dc;
    }

    private static QueuePairEx create(
            ProtectionDomain pd,
            QpInitAttrEx attr,
            QpKind kind,
            MemorySegment dc,
            boolean streams) {
        return Friend.MAIN.create(
                pd,
                attr,
                kind,
                "mlx5dv_create_qp",
                (context, init) -> Mlx5Verbs.mlx5dv_create_qp(context, init, dc),
                streams);
    }

    /** The provider would take any other device's context for one of its own. */
    private static NativeHandle require(String verb, Context context) {
        NativeHandle handle = Friend.handleOf(context, "context");
        boolean supported =
                handle.within(
                        ctx -> {
                            MemorySegment struct = Structs.view(ctx, ibv_context.sizeof());
                            return Mlx5Verbs.mlx5dv_is_supported(ibv_context.device(struct));
                        });
        if (!supported) {
            throw new UnsupportedVerbException(
                    verb,
                    Errno.EOPNOTSUPP,
                    context.device().name()
                            + " is not an mlx5 device: only NVIDIA ConnectX-4 and later, and"
                            + " BlueField, have the dynamically connected transport");
        }
        return handle;
    }

    private static void requireStreams(Context context, DciInitAttr attr) {
        DcCaps caps = queryDcCaps(context);
        // The queue pair's struct has room for the function only where there is this one.
        boolean known = NativeLibrary.MLX5.exports("mlx5dv_dci_stream_id_reset");
        if (!known || !caps.hasStreams()) {
            throw new UnsupportedVerbException(
                    "mlx5dv_create_qp",
                    Errno.EOPNOTSUPP,
                    known
                            ? context.device().name() + " has no DCI streams"
                            : "DCI streams need rdma-core >= 37");
        }
        Check.range("logConcurrent", attr.logNumConcurrent(), 0, caps.maxLogNumConcurrent());
        Check.range("logErrored", attr.logNumErrored(), 0, caps.maxLogNumErrored());
    }
}
