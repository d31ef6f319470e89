# Which way to take, and what "status" says about each.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

may_install() { [[ $EUID -eq 0 ]] && have apt-get; }

uml_reachable() {
  uml_possible || return 1
  uml_kernel >/dev/null || may_install && return 0
  [[ -n $(uml_source) ]] && have gcc && have make && have flex && have bison && have bc
}

qemu_reachable() {
  qemu_possible || return 1
  may_install || { have qemu-system-x86_64 && { qemu_image >/dev/null || { have busybox && have cpio && have depmod; }; }; }
}

# KVM counts only when it is offered by a processor's module and a guest has booted with it.
kvm_reachable() {
  kvm_offered && qemu_reachable || return 1
  kvm_works && return 0
  [[ $? -eq 2 ]] || return 1
  ensure_qemu
  kvm_works
}

choose_way() {
  [[ $way == auto ]] || return 0
  if device_present; then
    way=device
  elif kvm_reachable; then
    way=qemu
  elif uml_reachable; then
    way=uml
  elif qemu_reachable; then
    way=qemu
  else
    die 'no RDMA device here and no way to make one without more packages; as root: apt install linux-source gcc make flex bison bc' \
      'iproute2 ibverbs-utils (scripts/soft-roce status says more)'
  fi
}

show_status() {
  local kernel image
  if device_present; then
    echo "device  yes: $(cd /sys/class/infiniband && echo *)"
  elif compgen -G '/sys/class/infiniband/*' >/dev/null; then
    echo "device  no: $(cd /sys/class/infiniband && echo *) exists, but /dev/infiniband/uverbs* is missing or not accessible"
  else
    echo 'device  no: /sys/class/infiniband is empty or missing'
  fi
  if [[ -e $native_record ]]; then
    echo 'native  set up by this script; scripts/soft-roce down undoes it'
  elif [[ -e /sys/module/rdma_rxe ]] || modprobe -qn rdma_rxe 2>/dev/null; then
    echo 'native  possible: this kernel has rdma_rxe (only taken when asked for, needs root)'
  else
    echo "native  no: kernel $(uname -r) has no module rdma_rxe"
  fi
  if kvm_works; then
    echo 'kvm     yes: a guest has booted with it'
  elif kvm_offered && [[ ! -e $cache/qemu/kvm-$(</proc/sys/kernel/random/boot_id) ]]; then
    echo 'kvm     perhaps: offered, to be tried when the QEMU guest is there'
  elif kvm_offered; then
    echo 'kvm     no: offered, but a guest does not boot with it'
  elif [[ -e /dev/kvm ]]; then
    echo 'kvm     no: /dev/kvm exists, but kvm_intel or kvm_amd is not loaded or access is denied'
  else
    echo 'kvm     no: no /dev/kvm'
  fi
  if kernel=$(uml_kernel); then
    echo "uml     ready: $kernel"
  elif ! uml_possible; then
    echo "uml     no: UML exists only for x86_64, this is $(uname -m)"
  elif uml_reachable; then
    echo 'uml     possible: its kernel will be built first (minutes, once)'
  else
    echo 'uml     not yet; as root: apt install linux-source gcc make flex bison bc'
  fi
  if ! qemu_possible; then
    echo "qemu    no: made for x86_64 only, this is $(uname -m)"
  elif image=$(qemu_image) && have qemu-system-x86_64; then
    echo "qemu    ready: $image"
  elif qemu_reachable; then
    echo 'qemu    possible: its guest will be made first (a download, once)'
  else
    echo 'qemu    not yet; as root: apt install qemu-system-x86 busybox-static kmod cpio'
  fi
  kvm_reachable() { kvm_works; }   # a question must not download anything
  (choose_way && echo "auto    would take: $way")
}
