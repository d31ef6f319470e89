# The private directory of one run, through which host and guest talk, and its removal.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

# What is in it: request/ (read by the guest: command, environment, writable, settings, terminal), in.N and in.eof.N
# (standard input in pieces), out, err, started, alive (a number that grows), status, console (the log), guest-init.

share_options=trans=virtio,version=9p2000.L,msize=524288

make_state() {
  state=$(mktemp -d "${TMPDIR:-/tmp}/verbs4j-soft-roce.XXXXXXXX")
  [[ $state != *[[:space:],\"]* ]] || {
    rmdir "$state"
    state=$(mktemp -d /tmp/verbs4j-soft-roce.XXXXXXXX)
  }
  mkdir "$state/request"
  : >"$state/out" && : >"$state/err" && : >"$state/console"
  cp "$lib/guest-init" "$state/guest-init"
}

write_list() { # NAME ITEM…
  local file=$state/request/$1
  shift
  [[ $# -eq 0 ]] || printf '%s\0' "$@" >"$file"
  [[ $# -ne 0 ]] || : >"$file"
}

# kind: command or shell
write_request() {
  local kind=$1
  shift
  write_list command "$@"
  write_list settings "$PWD" "$(uname -n)" "$kind"
  write_mounts
  : >"$state/request/terminal"
  [[ $kind != shell ]] || stty size >"$state/request/terminal"
  # In the guest the caller is root; HOME stays the caller's, as do all other variables.
  env -0 "SOFT_ROCE=$way" >"$state/request/environment"
}

# Directories below which the guest may write without the host seeing it. Overlay gives some characters a meaning of its own.
scratch_directories() {
  local dir
  for dir in /tmp /var/tmp "${TMPDIR:-/tmp}"; do
    [[ $dir != /* || $dir == *[,:\\]* || ! -d $dir ]] || realpath -z "$dir"
  done | sort -zu
}

# Tables in the form of fstab(5): request/mounts.system, then request/directories are made, then request/mounts.files.
write_mounts() {
  local dir own=/run/soft-roce-guest layer layers=() scratch i
  mapfile -d '' -t scratch < <(scratch_directories)
  {
    mount_line proc /proc proc defaults
    mount_line sysfs /sys sysfs defaults
    mount_line devtmpfs /dev devtmpfs mode=755
    mount_line devpts /dev/pts devpts mode=620,ptmxmode=666
    mount_line tmpfs /dev/shm tmpfs mode=1777
    mount_line tmpfs /run tmpfs mode=755
    share_state
  } >"$state/request/mounts.system"
  {
    for i in "${!scratch[@]}"; do
      layer=$own/scratch.$i
      layers+=("$layer/upper" "$layer/work")
      mount_line overlay "${scratch[i]}" overlay "lowerdir=${scratch[i]},upperdir=$layer/upper,workdir=$layer/work"
    done
    for i in "${!writable[@]}"; do
      share_writable "$i" "${writable[i]}"
    done
  } >"$state/request/mounts.files"
  write_list directories "$own" "${layers[@]}"
}

# UML: one writable hostfs of everything, of which only the named folders are bound into place.
# QEMU: one 9p share for each folder.
share_state() {
  case $way in
    uml)
      mount_line none /run/soft-roce-guest/host hostfs rw
      mount_line "/run/soft-roce-guest/host$state" /run/soft-roce none bind
      ;;
    qemu) mount_line state /run/soft-roce 9p "$share_options,cache=none" ;;
  esac
}

share_writable() { # NUMBER DIRECTORY
  case $way in
    uml) mount_line "/run/soft-roce-guest/host$2" "$2" none bind ;;
    qemu) mount_line "writable$1" "$2" 9p "$share_options,cache=mmap" ;;
  esac
}

mount_line() { # WHAT WHERE TYPE OPTIONS
  printf '%s %s %s %s,X-mount.mkdir 0 0\n' "$(escape_field "$1")" "$(escape_field "$2")" "$3" "$(escape_field "$4")"
}

escape_field() {
  local text=${1//\\/\\134}
  text=${text// /\\040}
  text=${text//$'\t'/\\011}
  printf '%s' "${text//$'\n'/\\012}"
}
