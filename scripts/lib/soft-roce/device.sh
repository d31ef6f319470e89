# The device way (use what is there) and the native way (make a device on the host itself).
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

native_record=/run/verbs4j-soft-roce.native

device_present() {
  local node
  compgen -G '/sys/class/infiniband/*' >/dev/null || return 1
  for node in /dev/infiniband/uverbs*; do
    [[ -r $node && -w $node ]] && return 0
  done
  return 1
}

run_here() {
  ulimit -l unlimited 2>/dev/null || true
  export SOFT_ROCE=$way
  if [[ $timeout -eq 0 ]]; then
    exec "$@" <&"$input"
  elif [[ -t 0 ]]; then
    exec timeout --foreground -k 5 "$timeout" "$@" <&"$input"
  else
    exec timeout -k 5 "$timeout" "$@" <&"$input"
  fi
}

# A dummy interface of our own leaves the machine's network alone. What was made is recorded for "down".
native_up() {
  [[ $EUID -eq 0 ]] || die 'native changes this machine (modprobe rdma_rxe; rdma link add) and needs root'
  need 'the native way' ip:iproute2 rdma:iproute2 modprobe:kmod
  [[ ! -e $native_record ]] || return 0
  if [[ ! -e /sys/module/rdma_rxe ]] && announce modprobe rdma_rxe && [[ -e /sys/module/rdma_rxe ]]; then
    echo 'module rdma_rxe' >>"$native_record"
  fi
  modprobe -q rdma_ucm 2>/dev/null || true
  if ! native_make_device; then   # without a module rxe may still be part of the kernel
    native_down
    die "the native way failed, and what it had done is undone; does this kernel ($(uname -r)) have rdma_rxe?" \
      "(On Ubuntu it is in the package linux-modules-extra-$(uname -r).)"
  fi
  wait_for_node
}

native_make_device() {
  announce ip link add softroce0 mtu 9000 type dummy || return
  echo 'interface softroce0' >>"$native_record"
  announce ip addr add 10.77.9.1/24 dev softroce0 && announce ip link set softroce0 up || return
  announce rdma link add rxe_soft0 type rxe netdev softroce0 || return
  echo 'device rxe_soft0' >>"$native_record"
}

announce() {
  say "+ $*"
  "$@"
}

wait_for_node() {
  local try
  for ((try = 0; try < 100; try++)); do
    device_present && return 0
    sleep 0.1
  done
  die 'the device rxe_soft0 exists, but /dev/infiniband/uverbs* does not appear'
}

native_down() {
  local kind name
  [[ $EUID -eq 0 ]] || die 'down needs root'
  [[ -e $native_record ]] || { say 'nothing to undo' && return 0; }
  while read -r kind name; do
    case $kind in
      device) announce rdma link delete "$name" || true ;;
      interface) announce ip link delete "$name" || true ;;
      module) announce modprobe -r "$name" || true ;;
    esac
  done < <(tac "$native_record")
  rm -f "$native_record"
}
