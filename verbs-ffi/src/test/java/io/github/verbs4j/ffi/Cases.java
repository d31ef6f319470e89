package io.github.verbs4j.ffi;

import java.util.Map;
import java.util.Set;

/** What the marshalling test must know of a function beyond its signature. */
final class Cases {

    /** Functions without a native call: InlineArithmeticTest has them. */
    static final Set<String> ARITHMETIC =
            Set.of(
                    "ibv_is_qpt_supported",
                    "ibv_inc_rkey",
                    "ibv_flow_label_to_udp_sport",
                    "ibv_cq_ex_to_cq",
                    "rdma_get_local_addr",
                    "rdma_get_peer_addr",
                    "rdma_seterrno");

    /** Functions whose native function is not named after them. */
    private static final Map<String, String> NATIVE_NAMES =
            Map.of(
                    "ibv_query_rt_values_ex", "query_rt_values",
                    "ibv_create_flow", "ibv_create_flow",
                    "ibv_destroy_flow", "ibv_destroy_flow",
                    "ibv_post_wq_recv", "post_recv",
                    "ibv_wc_read_invalidated_rkey", "read_imm_data",
                    "ibv_query_gid_ex", "_ibv_query_gid_ex",
                    "ibv_query_gid_table", "_ibv_query_gid_table",
                    "ibv_query_comp_cntr_caps", "_ibv_query_comp_cntr_caps");

    /** Inline functions whose first argument is the ibv_context, not an object that has one. */
    static final Set<String> TAKES_CONTEXT =
            Set.of(
                    "ibv_query_device_ex",
                    "ibv_query_port",
                    "ibv_query_rt_values_ex",
                    "ibv_alloc_td",
                    "ibv_alloc_parent_domain",
                    "ibv_alloc_dm",
                    "ibv_create_cq_ex",
                    "ibv_create_qp_ex",
                    "ibv_create_srq_ex",
                    "ibv_open_qp",
                    "ibv_open_xrcd",
                    "ibv_create_wq",
                    "ibv_create_rwq_ind_table",
                    "ibv_create_flow_action_esp",
                    "ibv_create_counters");

    /** Sizes that the inline function adds as a last argument. */
    static final Map<String, Long> ADDED_SIZE =
            Map.of(
                    "ibv_query_device_ex", ibv_device_attr_ex.sizeof(),
                    "ibv_query_port", ibv_port_attr.sizeof(),
                    "ibv_query_gid_ex", ibv_gid_entry.sizeof(),
                    "ibv_query_gid_table", ibv_gid_entry.sizeof(),
                    "ibv_query_comp_cntr_caps", 16L);

    /** Classes that do not capture errno. */
    static final Set<Class<?>> DATA_PATH =
            Set.of(
                    PollVerbs.class,
                    CompletionReads.class,
                    PostVerbs.class,
                    WorkRequestVerbs.class,
                    WorkRequestSetters.class,
                    Mlx5WorkRequestSetters.class);

    private Cases() {}

    /** The name of the pointer or exported function that C would call for this function. */
    static String nativeName(String function, boolean exported) {
        if (exported) {
            return function;
        }
        boolean prefixed = function.startsWith("ibv_wc_") || function.startsWith("mlx5dv_");
        String name = function.substring(prefixed ? 7 : 4);
        return NATIVE_NAMES.getOrDefault(function, name);
    }
}
