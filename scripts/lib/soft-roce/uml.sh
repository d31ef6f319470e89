# The User-Mode-Linux way: the guest kernel is an ordinary process, its files are the host's.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

uml_config=$lib/uml.config
readonly UML_STEPS=1321   # compiler and linker calls for Debian's 6.1; only for the progress display

uml_possible() { [[ $(uname -m) == x86_64 ]]; }

uml_key() { grep -v -e '^#' -e '^$' "$uml_config" | sha256sum | cut -c 1-12; }

# The newest kernel built from the present configuration, whether its source is still there or not.
uml_kernel() {
  local found
  found=$(compgen -G "$cache/uml/$(uml_key)-*/linux" | sort -V | tail -n 1) && [[ -n $found ]] && echo "$found"
}

# A distribution's /usr/src/linux-source-*.tar.xz, or what SOFT_ROCE_KERNEL_SOURCE names.
uml_source() {
  if [[ -n ${SOFT_ROCE_KERNEL_SOURCE:-} ]]; then
    [[ -f $SOFT_ROCE_KERNEL_SOURCE ]] || die "SOFT_ROCE_KERNEL_SOURCE: no file $SOFT_ROCE_KERNEL_SOURCE"
    echo "$SOFT_ROCE_KERNEL_SOURCE"
  else
    compgen -G '/usr/src/linux-source-*.tar.*' | sort -V | head -n 1
  fi
}

source_version() {
  local name=${1##*/} version
  name=${name%.tar.*}
  version=$(dpkg-query -W -f '${Version}' "$name" 2>/dev/null) || version=$(stat -c %s "$1")
  printf '%s_%s\n' "$name" "$version" | tr -c '[:alnum:].\n' _
}

need_uml_source() {
  local package
  [[ -z $(uml_source) ]] || return 0
  have apt-get || die 'UML needs a kernel source archive: set SOFT_ROCE_KERNEL_SOURCE to a linux-6.1 tar file (kernel.org has it)'
  package=$(apt-cache depends linux-source 2>/dev/null | sed -n 's/^ *Depends: //p' | head -n 1)
  install_packages 'the UML kernel' "${package:-linux-source}"
}

need_uml_build_tools() {
  need 'the UML kernel' gcc:gcc make:make flex:flex bison:bison bc:bc xz:xz-utils tar:tar perl:perl \
    '/usr/include/stdio.h:libc6-dev' '/usr/include/linux/types.h:linux-libc-dev'
}

# Also builds when the distribution's source has become newer.
build_uml() {
  local archive target
  uml_possible || die "UML exists only for x86_64, this is $(uname -m)"
  begin_build uml
  need_uml_source
  archive=$(uml_source)
  target=$cache/uml/$(uml_key)-$(source_version "$archive")
  [[ -x $target/linux ]] || compile_uml "$archive" "$target"
  end_build
  say "the UML kernel is ready: $target/linux"
}

ensure_uml() {
  uml_possible || die "UML exists only for x86_64, this is $(uname -m)"
  uml_kernel >/dev/null || build_uml
  need_guest_tools
}

compile_uml() {
  local archive=$1 target=$2 log=$cache/uml/build.log begin=$SECONDS
  need_uml_build_tools
  say "building the UML kernel from ${archive##*/}, once; log: $log"
  tar -xf "$archive" -C "$build" --strip-components=1 || die "cannot unpack $archive"
  {
    make -C "$build" ARCH=um KCONFIG_ALLCONFIG="$uml_config" allnoconfig </dev/null && check_config "$build/.config"
  } >"$log" 2>&1 || build_failed "$log"
  setsid make -C "$build" ARCH=um -j"$(nproc)" linux </dev/null >>"$log" 2>&1 & worker=$!
  show_progress "$worker" "$log" "$begin"
  wait "$worker" || build_failed "$log"
  worker=''
  mkdir "$build/result"
  strip -o "$build/result/linux" "$build/linux"
  cp "$build/.config" "$build/result/config"
  mv "$log" "$build/result/build.log"
  rm -rf "$target"
  mv "$build/result" "$target"
  say "built in $(clock $((SECONDS - begin)))"
}

# A misspelt or unmet option would vanish silently.
check_config() {
  local lost
  lost=$(grep '^CONFIG_.*=[^n]' "$uml_config" | grep -vxFf "$1") || return 0
  echo "this kernel source does not take these lines of uml.config:"
  echo "$lost"
  return 1
}

show_progress() {
  local pid=$1 log=$2 begin=$3 lines percent shown=0 text
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    lines=$(grep -c '^  [A-Z]' "$log") || true
    percent=$((lines * 100 / UML_STEPS))
    ((percent < 100)) || percent=99
    text="building the UML kernel: $percent %, $lines of about $UML_STEPS steps, $(clock $((SECONDS - begin))) elapsed"
    if [[ -t 2 ]]; then
      printf '\rsoft-roce: %s ' "$text" >&2
    elif ((SECONDS - shown >= 20)); then
      shown=$SECONDS
      say "$text"
    fi
  done
  [[ ! -t 2 ]] || echo >&2
}

build_failed() {
  tail -n 30 "$1" >&2
  die "the UML kernel could not be built; the whole log: $1"
}

# UML keeps the guest's memory in an unlinked file: in memory where that has room, else on disk.
memory_place() {
  local dir free
  for dir in /dev/shm "${TMPDIR:-/tmp}" /var/tmp; do
    [[ -w $dir ]] || continue
    if findmnt -n -o OPTIONS --target "$dir" 2>/dev/null | grep -qw noexec; then continue; fi
    free=$(df -Pm "$dir" | awk 'NR == 2 { print $4 }')
    ((free > memory_mib)) || continue
    echo "$dir"
    return 0
  done
  die "no directory has room for a guest with $memory of memory (tried /dev/shm, ${TMPDIR:-/tmp}, /var/tmp); see --memory"
}

# The processors of this machine that this process may run on, the last one first.
processors() {
  taskset -cp $$ 2>/dev/null | sed 's/.*: //' | tr , '\n' | while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done | tac
}

# Takes a processor that no other guest has until this guest has ended; any when there is none left. None where the cache
# cannot be written, as without a lock several guests would take the same.
# A system call in the guest goes to and fro between processes of this machine, of which one waits for the other. Spread over
# several processors, each time wakes an idle one, and the guest takes more than twice as long.
own_processor() {
  local free all
  have taskset && mapfile -t all < <(processors) && [[ ${#all[@]} -gt 0 ]] || return 0
  for free in "${all[@]}"; do
    { exec {processor_lock}>"$cache/uml/processor-$free.lock"; } 2>/dev/null || return 0
    ! flock -n "$processor_lock" || break
    exec {processor_lock}>&-
    free=${all[RANDOM % ${#all[@]}]}
  done
  pinned=(taskset -c "$free")
}

start_uml() {
  local kind=$1 place terminal='con0=null,fd:1' quiet=(quiet loglevel=4) pinned=()
  place=$(memory_place)
  [[ -z $console && $dmesg -eq 0 ]] || quiet=(loglevel=7)
  [[ $kind != shell ]] || terminal='con0=fd:3,fd:4'
  ulimit -c 0
  own_processor
  local argv=("${pinned[@]}" "$(uml_kernel)" "mem=${memory_mib}M" "umid=verbs4j-$$" "uml_dir=$state/"
    rootfstype=hostfs rootflags=/ ro "init=$state/guest-init" "soft_roce=$state" soft_roce_way=uml
    dummy.numdummies=0 con=null "$terminal" ssl=null "${quiet[@]}" panic=-1)
  if [[ $kind == shell ]]; then
    TMPDIR=$place setsid setpriv --pdeathsig TERM "${argv[@]}" 3<&0 4>&1 </dev/null >>"$state/console" 2>&1 & guest=$!
  else
    TMPDIR=$place setsid setpriv --pdeathsig TERM "${argv[@]}" </dev/null >>"$state/console" 2>&1 & guest=$!
  fi
}
