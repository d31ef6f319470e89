/**
 * What NVIDIA's adapters (ConnectX-4 and later, BlueField) have beside the verbs: the dynamically
 * connected transport (DC). One initiator ({@link io.github.verbs4j.mlx5.Dci}) sends reliably to
 * any number of targets ({@link io.github.verbs4j.mlx5.Dct}), each request naming its own; the
 * devices connect and disconnect as the traffic goes.
 *
 * <p>Nothing here is needed, looked for or loaded by programs that do not use it. libmlx5 is opened
 * at the first call. On any other device {@link io.github.verbs4j.mlx5.Mlx5#isSupported} says
 * false, and the rest throws {@link io.github.verbs4j.types.UnsupportedVerbException}.
 *
 * <pre>{@code
 * // the target's side: tell the peer dct.qp().localAddress(gid), key and a RemoteBuffer
 * Dct dct = Mlx5.createDct(pd, cq, srq, key);
 * dct.activate(gid, AccessFlag.REMOTE_WRITE);
 *
 * // the initiator's side
 * Dci dci = Mlx5.createDci(pd, new DciInitAttr(cq, SendOp.RDMA_WRITE));
 * dci.activate(gid.port());
 * AddressHandle ah = pd.createAh(AhAttr.to(gid, target));
 * dci.qp().post(batch -> batch.rdmaWrite(buffer, 0).setSge(mr, 0, 64).setDcAddr(ah, target.qpNum(), key));
 * }</pre>
 */
package io.github.verbs4j.mlx5;
