# The QEMU way: a distribution's kernel image with its modules in an initramfs; the host's files through 9p.
# shellcheck shell=bash

# Loaded in the guest, in this order, with what they depend on. Without crc32_generic rxe cannot be set up.
readonly MODULES=(virtio_pci 9pnet_virtio 9p overlay dummy veth 8021q sch_netem crc32_generic crc32c_generic
  rdma_rxe rdma_ucm ib_uverbs ib_umad siw)

qemu_possible() { [[ $(uname -m) == x86_64 ]]; }

qemu_key() { { cat "$lib/initramfs-init" && echo "${MODULES[@]}"; } | sha256sum | cut -c 1-12; }

# The newest guest image made by the present recipe: a directory with vmlinuz and initrd.gz.
qemu_image() {
  local found
  found=$(compgen -G "$cache/qemu/$(qemu_key)-*/initrd.gz" | sort -V | tail -n 1) && [[ -n $found ]] && echo "${found%/*}"
}

need_qemu() { need QEMU qemu-system-x86_64:qemu-system-x86; }

build_qemu() (
  qemu_possible || die "the QEMU guest is made for x86_64 only, this is $(uname -m)"
  lock_cache
  need 'the QEMU guest' '/bin/busybox:busybox-static' depmod:kmod cpio:cpio gzip:gzip
  mkdir -p "$cache/qemu"
  build=$(mktemp -d "$cache/qemu/build.XXXXXXXX")
  trap 'rm -rf "$build"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  log=$cache/qemu/build.log
  : >"$log"
  find_kernel
  target=$cache/qemu/$(qemu_key)-$release
  if [[ -e $target/initrd.gz ]]; then
    say "the QEMU guest is ready: $target"
  else
    make_image
    say "the QEMU guest is ready: $target"
  fi
)

ensure_qemu() {
  qemu_image >/dev/null || build_qemu
  need_qemu
  need_guest_tools
}

# Sets release, vmlinuz and modules. A kernel installed here with Soft-RoCE will do; else the distribution's is
# downloaded and unpacked, not installed.
find_kernel() {
  local dir
  for dir in /lib/modules/*/; do
    release=$(basename "$dir")
    [[ -n $(find "$dir" -name 'rdma_rxe.ko*' -print -quit) && -n $(find "$dir" -name '9pnet_virtio.ko*' -print -quit) ]] || continue
    for vmlinuz in "/boot/vmlinuz-$release" "$dir/vmlinuz"; do
      [[ -r $vmlinuz ]] && modules=${dir%/} && return 0
    done
  done
  download_kernel
}

download_kernel() {
  local package packages unpacked=$build/unpacked
  have apt-get || die 'QEMU needs an installed kernel (/boot/vmlinuz-*) with the modules rdma_rxe and 9pnet_virtio'
  packages=$(kernel_packages)
  if [[ -z $packages && $EUID -eq 0 ]]; then
    apt_update "$log" || true
    packages=$(kernel_packages)
  fi
  [[ -n $packages ]] || die "apt knows no linux-image package; as root: apt update (log: $log)"
  say "downloading the guest kernel, not installing it:" $packages
  mkdir "$build/packages"
  # shellcheck disable=SC2086 # a list
  if ! (cd "$build/packages" && apt-get -q -o APT::Sandbox::User=root download $packages) >>"$log" 2>&1 </dev/null; then
    tail -n 10 "$log" >&2
    die "cannot download the guest kernel (log: $log)"
  fi
  for package in "$build"/packages/*.deb; do dpkg-deb -x "$package" "$unpacked"; done
  vmlinuz=$(find "$unpacked/boot" -name 'vmlinuz-*' | head -n 1)
  release=${vmlinuz##*/vmlinuz-}
  modules=$(find "$unpacked" -type d -path "*/lib/modules/$release")
  [[ -n $release && -n $modules ]] || die "no kernel in the packages" $packages
}

# Debian: linux-image-amd64 names the image, which has all modules. Ubuntu: linux-image-generic, modules in packages of their own.
kernel_packages() {
  local image package
  for image in linux-image-amd64 linux-image-generic; do
    package=$(apt-cache depends "$image" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    [[ -z $package ]] || break
  done
  [[ -n $package ]] || return 0
  echo "$package"
  for image in linux-modules linux-modules-extra; do
    apt-cache show "$image-${package#linux-image-}" >/dev/null 2>&1 && echo "$image-${package#linux-image-}"
  done
  return 0
}

make_image() {
  local root=$build/root tree=$build/tree
  mkdir -p "$tree/lib/modules" "$root"/{bin,dev,modules,proc,root,sys}
  cp -a "$modules" "$tree/lib/modules/$release"
  depmod -b "$tree" "$release" >>"$log" 2>&1 || true
  cp /bin/busybox "$root/bin/busybox"
  cp "$lib/initramfs-init" "$root/init"
  copy_modules "$tree" "$root/modules"
  mkdir "$build/result"
  (cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$build/result/initrd.gz"
  cp "$vmlinuz" "$build/result/vmlinuz"
  rm -rf "$target"
  mv "$build/result" "$target"
}

copy_modules() {
  local tree=$1 out=$2 module file name
  for module in "${MODULES[@]}"; do
    modprobe -d "$tree" -S "$release" --show-depends "$module" 2>>"$log" || echo "no module $module" >>"$log"
  done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$build/list"
  while read -r file; do
    name=${file##*/}
    case $name in
      *.xz) xz -dc "$file" >"$out/${name%.xz}" ;;
      *.zst) zstd -dcq "$file" >"$out/${name%.zst}" ;;
      *.gz) gzip -dc "$file" >"$out/${name%.gz}" ;;
      *) cp "$file" "$out/$name" ;;
    esac
    name=${name%.ko*}.ko
    echo "$name" >>"$out/order"
  done <"$build/list"
  grep -q '^rdma_rxe' "$out/order" || die "the guest kernel $release has no rdma_rxe"
}

# Words that every QEMU of ours is started with: $1 is the accelerator.
qemu_base() {
  local processor=host
  [[ $1 == kvm ]] || processor=max
  [[ $1 == kvm ]] || set -- tcg,thread=multi,tb-size=1024
  image=$(qemu_image)
  qemu=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -nic none -accel "$1" -cpu "$processor"
    -kernel "$image/vmlinuz" -initrd "$image/initrd.gz")
  kernel_words='console=ttyS0 panic=-1 mitigations=off'
}

share() { # TAG DIRECTORY OPTIONS
  printf '%s\0' -virtfs "local,path=${2//,/,,},mount_tag=$1,security_model=none,multidevs=remap$3"
}

start_qemu() {
  local kind=$1 shares i
  mapfile -d '' -t shares < <(
    share root / ,readonly=on
    share state "$state" ''
    for i in "${!writable[@]}"; do share "writable$i" "${writable[i]}" ''; done
  )
  qemu_base "$accelerator"
  qemu+=(-m "$memory_mib" -smp "${cpus:-$(($(nproc) < 8 ? $(nproc) : 8))}" "${shares[@]}")
  kernel_words+=" dummy.numdummies=0 soft_roce=$state soft_roce_way=qemu"
  [[ -n $console || $dmesg -eq 1 ]] || kernel_words+=' quiet loglevel=4'
  qemu+=(-append "$kernel_words")
  if [[ $kind == shell ]]; then
    setsid setpriv --pdeathsig TERM "${qemu[@]}" -chardev "stdio,id=c,signal=off,logfile=$state/console" -serial chardev:c \
      <&0 & guest=$!
  else
    setsid setpriv --pdeathsig TERM "${qemu[@]}" -serial "file:$state/console" </dev/null >"$state/qemu" 2>&1 & guest=$!
  fi
}
