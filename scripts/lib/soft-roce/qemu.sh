# The QEMU way: a distribution's kernel image with its modules in an initramfs; the host's files through 9p.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

# Loaded in the guest, in this order, with what they depend on. Without crc32_generic rxe cannot be set up.
readonly MODULES=(virtio_pci 9pnet_virtio 9p overlay dummy veth 8021q sch_netem crc32_generic crc32c_generic
  rdma_rxe rdma_ucm ib_uverbs ib_umad siw)

qemu_possible() { [[ $(uname -m) == x86_64 ]]; }

qemu_key() { { cat "$lib/initramfs-init" && declare -f make_image uncompress_kernel copy_modules && echo "${MODULES[@]}"; } | sha256sum | cut -c 1-12; }

# The newest guest image made by the present recipe: a directory with kernel and initrd.gz.
qemu_image() {
  local found
  found=$(compgen -G "$cache/qemu/$(qemu_key)-*/initrd.gz" | sort -V | tail -n 1) && [[ -n $found ]] && echo "${found%/*}"
}

need_qemu() { need QEMU qemu-system-x86_64:qemu-system-x86; }

build_qemu() {
  local log=$cache/qemu/build.log release vmlinuz modules packages target
  qemu_possible || die "the QEMU guest is made for x86_64 only, this is $(uname -m)"
  need 'the QEMU guest' '/bin/busybox:busybox-static' depmod:kmod cpio:cpio gzip:gzip
  begin_build qemu
  : >"$log"
  find_kernel
  target=$cache/qemu/$(qemu_key)-$release
  if [[ ! -e $target/initrd.gz ]]; then
    [[ -n $vmlinuz ]] || download_kernel
    make_image
  fi
  end_build
  say "the QEMU guest is ready: $target"
}

ensure_qemu() {
  qemu_image >/dev/null || build_qemu
  need_qemu
  need_guest_tools
}

# Sets release, and vmlinuz and modules when a kernel with Soft-RoCE is installed here; else packages names what to download.
find_kernel() {
  local dir
  for dir in /lib/modules/*/; do
    [[ -d $dir ]] || continue
    release=$(basename "$dir")
    [[ -n $(find "$dir" -name 'rdma_rxe.ko*' -print -quit) && -n $(find "$dir" -name '9pnet_virtio.ko*' -print -quit) ]] || continue
    for vmlinuz in "/boot/vmlinuz-$release" "$dir/vmlinuz"; do
      [[ -r $vmlinuz ]] && modules=${dir%/} && return 0
    done
  done
  vmlinuz=''
  have apt-get || die 'QEMU needs an installed kernel (/boot/vmlinuz-*) with the modules rdma_rxe and 9pnet_virtio'
  find_packages
  if [[ ${#packages[@]} -eq 0 && $EUID -eq 0 ]]; then
    apt_update "$log" || true
    find_packages
  fi
  [[ ${#packages[@]} -gt 0 ]] || die "apt knows no linux-image package; as root: apt update (log: $log)"
  release=${packages[0]#linux-image-}
}

# Unpacked, not installed.
download_kernel() {
  local package unpacked=$build/unpacked
  say "downloading the guest kernel (not installing it): ${packages[*]}"
  mkdir "$build/packages"
  if ! (cd "$build/packages" && apt-get -q -o APT::Sandbox::User=root download "${packages[@]}") >>"$log" 2>&1 </dev/null; then
    tail -n 10 "$log" >&2
    die "cannot download the guest kernel (log: $log)"
  fi
  for package in "$build"/packages/*.deb; do dpkg-deb -x "$package" "$unpacked"; done
  vmlinuz=$unpacked/boot/vmlinuz-$release
  modules=$(find "$unpacked" -type d -path "*/lib/modules/$release")
  [[ -e $vmlinuz && -n $modules ]] || die "there is no kernel $release in ${packages[*]}"
}

# Debian: linux-image-amd64 names the image, which has all modules. Ubuntu: linux-image-generic, modules in packages of their own.
find_packages() {
  local name image
  packages=()
  for name in linux-image-amd64 linux-image-generic; do
    image=$(apt-cache depends "$name" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
    [[ -z $image ]] || break
  done
  [[ -n $image ]] || return 0
  packages=("$image")
  for name in linux-modules linux-modules-extra; do
    if apt-cache show "$name-${image#linux-image-}" >/dev/null 2>&1; then packages+=("$name-${image#linux-image-}"); fi
  done
}

make_image() {
  local root=$build/root tree=$build/tree
  mkdir -p "$tree/lib/modules" "$root"/{bin,dev,modules,proc,root,sys}
  cp -a "$modules" "$tree/lib/modules/$release"
  depmod -b "$tree" "$release" >>"$log" 2>&1 || true
  cp /bin/busybox "$root/bin/busybox"
  install -m 755 "$lib/initramfs-init" "$root/init"
  copy_modules "$tree" "$root/modules"
  mkdir "$build/result"
  (cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$build/result/initrd.gz"
  uncompress_kernel "$vmlinuz" "$build/result/kernel" || cp "$vmlinuz" "$build/result/kernel"
  rm -rf "$target"
  mv "$build/result" "$target"
}

# A kernel that need not unpack itself starts seconds sooner without KVM. QEMU takes it when it is an ELF file with a PVH note.
uncompress_kernel() { # IMAGE OUT
  local way magic offset
  for way in 'xz \xfd7zXZ\x00' 'zstd \x28\xb5\x2f\xfd' 'gzip \x1f\x8b\x08'; do
    magic=${way#* }
    offset=$(LC_ALL=C grep -aobP "$magic" "$1" | head -n 1 | cut -d: -f1)
    [[ -n $offset ]] || continue
    tail -c "+$((offset + 1))" "$1" | "${way% *}" -dc >"$2" 2>/dev/null || true   # what follows in the image is not its
    [[ $(head -c 4 "$2") == $'\x7fELF' ]] || continue
    LC_ALL=C grep -qaP '\x04\x00\x00\x00[\x04\x08]\x00\x00\x00\x12\x00\x00\x00Xen\x00' "$2" && return 0
  done
  return 1
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
    [[ $name != dummy.ko ]] || name='dummy.ko numdummies=0'   # else it makes an interface of its own
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
    -kernel "$image/kernel" -initrd "$image/initrd.gz")
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
  kernel_words+=" soft_roce=$state soft_roce_way=qemu"
  [[ -n $console || $dmesg -eq 1 ]] || kernel_words+=' quiet loglevel=4'
  qemu+=(-append "$kernel_words")
  if [[ $kind == shell ]]; then
    setsid setpriv --pdeathsig TERM "${qemu[@]}" -chardev "stdio,id=c,signal=off,logfile=$state/console" -serial chardev:c \
      <&0 & guest=$!
  else
    setsid setpriv --pdeathsig TERM "${qemu[@]}" -chardev "file,id=c,path=$state/console,append=on" -serial chardev:c \
      </dev/null >>"$state/console" 2>&1 & guest=$!
  fi
}
