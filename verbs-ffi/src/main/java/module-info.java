/** RDMA verbs as C has them: libibverbs and librdmacm, raw, without a native build. */
module io.github.verbs4j.ffi {
    exports io.github.verbs4j.ffi;
    exports io.github.verbs4j.ffi.mlx5;
}
