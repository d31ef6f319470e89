/** Typed RDMA verbs. */
module io.github.verbs4j {
    requires io.github.verbs4j.ffi;
    requires org.slf4j;

    exports io.github.verbs4j;
    exports io.github.verbs4j.cm;
    exports io.github.verbs4j.mlx5;
    exports io.github.verbs4j.steering;
    exports io.github.verbs4j.types;
}
