/*
 * What verbs4j binds. jextract reads this one file; the *.includes files beside it say which of the
 * names it then sees become Java.
 */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <rdma/rsocket.h>
