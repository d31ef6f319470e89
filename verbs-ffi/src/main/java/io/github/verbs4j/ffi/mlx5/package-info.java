/**
 * What jextract generates for {@code infiniband/mlx5dv.h}, the mlx5 provider's own interface: the
 * structs and constants of the dynamically connected transport. The functions are in {@code
 * Mlx5Verbs} and {@code Mlx5WorkRequestSetters} of {@link io.github.verbs4j.ffi}; those of {@code
 * mlx5dv_h} must not be used, since they look their symbols up without loading libmlx5.
 */
package io.github.verbs4j.ffi.mlx5;
