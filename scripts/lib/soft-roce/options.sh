# The options of run and shell.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

# What the guest needs to start, with something left for a small program.
readonly LEAST_MEMORY_MIB=128

way=auto timeout=0 stall=120 memory=4G cpus='' console='' dmesg=0 writable=() command=()

parse_run_options() {
  while [[ $# -gt 0 ]]; do
    case $1 in
      --via) need_value "$@" && way=$2 && shift ;;
      --via=*) way=${1#*=} ;;
      --timeout) need_value "$@" && timeout=$2 && shift ;;
      --timeout=*) timeout=${1#*=} ;;
      --stall) need_value "$@" && stall=$2 && shift ;;
      --stall=*) stall=${1#*=} ;;
      --memory) need_value "$@" && memory=$2 && shift ;;
      --memory=*) memory=${1#*=} ;;
      --cpus) need_value "$@" && cpus=$2 && shift ;;
      --cpus=*) cpus=${1#*=} ;;
      --console) need_value "$@" && console=$2 && shift ;;
      --console=*) console=${1#*=} ;;
      --writable) need_value "$@" && add_writable "$2" && shift ;;
      --writable=*) add_writable "${1#*=}" ;;
      --dmesg) dmesg=1 ;;
      -h | --help) show_help && exit 0 ;;
      --) shift && command=("$@") && break ;;
      -*) usage "unknown option $1" ;;
      *) command=("$@") && break ;;
    esac
    shift
  done
  check_run_options
}

need_value() { [[ $# -ge 2 ]] || usage "$1 needs a value"; }

add_writable() {
  [[ -d $1 ]] || die "--writable $1: no such directory"
  writable+=("$(cd "$1" && pwd -P)")
}

check_run_options() {
  case $way in auto | device | native | uml | qemu) ;; *) usage "--via $way: not one of auto, device, native, uml, qemu" ;; esac
  [[ $timeout =~ ^[0-9]{1,9}$ ]] || usage "--timeout $timeout: not a number of seconds"
  [[ $stall =~ ^[0-9]{1,9}$ ]] || usage "--stall $stall: not a number of seconds"
  [[ $cpus =~ ^([1-9][0-9]{0,2})?$ ]] || usage "--cpus $cpus: not a number of processors"
  [[ $memory =~ ^([1-9][0-9]{0,6})([MG])$ ]] || usage "--memory $memory: not a size such as 512M or 4G"
  memory_mib=${BASH_REMATCH[1]}
  [[ ${BASH_REMATCH[2]} == M ]] || memory_mib=$((memory_mib * 1024))
  ((memory_mib >= LEAST_MEMORY_MIB)) || usage "--memory $memory: a guest needs ${LEAST_MEMORY_MIB}M at least"
  mapfile -d '' -t writable < <(printf '%s\0' "$project" "${writable[@]}" | sort -zu)
}

usage() {
  say "$*"
  say "see scripts/soft-roce --help"
  exit "$FAILED"
}
