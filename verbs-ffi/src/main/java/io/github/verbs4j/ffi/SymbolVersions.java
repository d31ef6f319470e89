package io.github.verbs4j.ffi;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** In which rdma-core the younger functions appeared, from the symbol files of its packages. */
final class SymbolVersions {

    private static final Map<String, Integer> INTRODUCED = new HashMap<>();

    static {
        since(20, "ibv_get_pkey_index");
        since(21, "mlx5dv_open_device");
        since(22, "mlx5dv_is_supported");
        since(23, "rdma_establish", "rdma_init_qp_attr");
        since(24, "ibv_qp_to_qp_ex", "mlx5dv_qp_ex_from_ibv_qp_ex");
        since(25, "ibv_reg_mr_iova");
        since(28, "ibv_reg_mr_iova2");
        since(30, "ibv_get_device_index");
        since(
                31,
                "ibv_import_device",
                "ibv_import_mr",
                "ibv_import_pd",
                "ibv_query_ece",
                "ibv_set_ece",
                "ibv_unimport_mr",
                "ibv_unimport_pd",
                "rdma_get_remote_ece",
                "rdma_reject_ece",
                "rdma_set_local_ece");
        since(32, "_ibv_query_gid_ex", "_ibv_query_gid_table");
        since(34, "ibv_reg_dmabuf_mr");
        since(35, "ibv_import_dm", "ibv_is_fork_initialized", "ibv_unimport_dm");
        since(36, "ibv_query_qp_data_in_order");
        since(37, "mlx5dv_dci_stream_id_reset");
        since(49, "ibv_wr_opcode_str");
        since(59, "ibv_alloc_dmah", "ibv_dealloc_dmah", "ibv_reg_mr_ex");
        since(60, "rdma_query_addrinfo", "rdma_resolve_addrinfo", "rdma_write_cm_event");
        since(62, "ibv_dm_export_dmabuf_fd", "ibv_query_port_speed");
        since(64, "ibv_alloc_buf", "ibv_free_buf", "ibv_reg_buf_mr");
        since(
                65,
                "_ibv_query_comp_cntr_caps",
                "ibv_create_comp_cntr",
                "ibv_destroy_comp_cntr",
                "ibv_export_buf_dmabuf_fd",
                "ibv_inc_comp_cntr",
                "ibv_inc_err_comp_cntr",
                "ibv_qp_attach_comp_cntr",
                "ibv_read_comp_cntr",
                "ibv_read_err_comp_cntr",
                "ibv_set_comp_cntr",
                "ibv_set_err_comp_cntr",
                "repoll_create",
                "repoll_ctl",
                "repoll_wait");
    }

    private SymbolVersions() {}

    /** Returns the major version of rdma-core, or empty for what is older than 18 or unknown. */
    static OptionalInt introducedIn(String symbol) {
        Integer version = INTRODUCED.get(symbol);
        return version == null ? OptionalInt.empty() : OptionalInt.of(version);
    }

    private static void since(int version, String... symbols) {
        for (String symbol : symbols) {
            INTRODUCED.put(symbol, version);
        }
    }
}
