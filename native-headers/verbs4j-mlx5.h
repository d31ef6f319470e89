/*
 * What verbs4j binds of the mlx5 provider's own interface, in a package of its own. The structs of
 * verbs.h are known here by their pointers only.
 */
#include <infiniband/mlx5dv.h>
