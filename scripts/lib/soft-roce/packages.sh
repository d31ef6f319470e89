# Which package holds what is missing, and its installation where that is possible.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

# need WHY THING:PACKAGE… - a THING is a command, or a file when it has a slash (a pattern is allowed).
need() {
  local why=$1 item missing=()
  shift
  for item; do
    has_thing "${item%:*}" || missing+=("${item##*:}")
  done
  [[ ${#missing[@]} -eq 0 ]] || install_packages "$why" "${missing[@]}"
}

has_thing() {
  case $1 in
    */*) compgen -G "$1" >/dev/null ;;
    *) PATH=$PATH:/usr/sbin:/sbin have "$1" ;;
  esac
}

install_packages() {
  local why=$1 log=$cache/apt.log
  shift
  if ! have apt-get; then
    die "$why needs what Debian's packages $* hold; install the like of them with this system's package manager"
  fi
  [[ $EUID -eq 0 ]] || die "$why needs packages that are not installed; as root: apt install $*"
  say "$why: installing $*"
  mkdir -p "$cache"
  apt_install "$log" "$@" || { apt_update "$log" && apt_install "$log" "$@"; } || {
    tail -n 15 "$log" >&2
    die "apt-get could not install $* (log: $log)"
  }
}

apt_install() {
  local log=$1
  shift
  DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=600 install --no-install-recommends "$@" \
    >>"$log" 2>&1 </dev/null
}

apt_update() { apt-get -q -o DPkg::Lock::Timeout=600 update >>"$1" 2>&1 </dev/null; }

# What a guest needs from the host, whose files it sees.
need_guest_tools() {
  need 'the guest' ip:iproute2 rdma:iproute2 mount:mount setsid:util-linux \
    ibv_devinfo:ibverbs-utils '/etc/libibverbs.d/rxe.driver:ibverbs-providers' rping:rdmacm-utils
}
