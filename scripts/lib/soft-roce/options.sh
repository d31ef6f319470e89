# The options of run and shell.
# shellcheck shell=bash

way=auto timeout=0 stall=120 memory=4G cpus='' console='' dmesg=0 writable=() command=()

parse_run_options() {
  local dir
  while [[ $# -gt 0 ]]; do
    case $1 in
      --via) way=$(value "$@") && shift ;;
      --via=*) way=${1#*=} ;;
      --timeout) timeout=$(value "$@") && shift ;;
      --timeout=*) timeout=${1#*=} ;;
      --stall) stall=$(value "$@") && shift ;;
      --stall=*) stall=${1#*=} ;;
      --memory) memory=$(value "$@") && shift ;;
      --memory=*) memory=${1#*=} ;;
      --cpus) cpus=$(value "$@") && shift ;;
      --cpus=*) cpus=${1#*=} ;;
      --console) console=$(value "$@") && shift ;;
      --console=*) console=${1#*=} ;;
      --writable) dir=$(value "$@") && shift && add_writable "$dir" ;;
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

value() {
  [[ $# -ge 2 ]] || usage "$1 needs a value"
  printf '%s\n' "$2"
}

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
  mapfile -d '' -t writable < <(printf '%s\0' "$project" "${writable[@]}" | sort -zu)
}

usage() {
  say "$*"
  say "see scripts/soft-roce --help"
  exit "$FAILED"
}
