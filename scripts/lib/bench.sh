# Building the C side of the benchmarks, and running their parts.
# shellcheck shell=bash disable=SC2154 # variables shared by the parts

# Ports and indexes of GIDs are bytes in the structures of libibverbs.
readonly BENCH_PEER_PORT=18515 MAX_TCP_PORT=65535 MAX_BYTE=255
bench_home=$project/target/bench
natives=$bench_home/native
action='' arguments=() properties=() facts=() via=()

parse_bench_options() {
  local host port
  while [[ $# -gt 0 ]]; do
    case $1 in
      --device | --port | --gid)
        [[ $# -ge 2 && -n $2 ]] || die "$1 needs a value"
        [[ $1 != --port ]] || number_between "$1" "$2" 1 "$MAX_BYTE"
        [[ $1 != --gid ]] || number_between "$1" "$2" 0 "$MAX_BYTE"
        properties+=("-Dverbs4j.bench.${1#--}=$2")
        shift
        ;;
      --peer)
        [[ $# -ge 2 && $2 =~ ^([^]:[]+|\[([^][]*:[^][]*)\])(:([^:]*))?$ ]] \
          || die '--peer needs HOST[:PORT], an IPv6 address in brackets'
        host=${BASH_REMATCH[2]:-${BASH_REMATCH[1]}} port=$BENCH_PEER_PORT
        [[ -z ${BASH_REMATCH[3]} ]] || port=${BASH_REMATCH[4]}
        number_between "the port of --peer" "$port" 1 "$MAX_TCP_PORT"
        # For Java and the C twin the host is what stands before the last colon, without brackets.
        properties+=("-Dverbs4j.bench.peer=$host:$port")
        shift
        ;;
      --via)
        [[ $# -ge 2 && $2 =~ ^(auto|device|native|uml|qemu)$ ]] || die '--via needs auto, device, native, uml or qemu'
        via=(--via "$2")
        shift
        ;;
      -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$project/scripts/bench" && exit 0 ;;
      -*) die "unknown option $1; see scripts/bench --help" ;;
      smoke | rehearsal | quick | full | server | report | quote)
        [[ -z $action ]] || die "$action and $1 do not go together"
        action=$1
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  action=${action:-quick}
  [[ ${#arguments[@]} -le 1 ]] || die "one argument too many: ${arguments[1]} (a filter with spaces needs quotes)"
  [[ $action != server ]] || number_between "the server's TCP port" "${arguments[0]:-$BENCH_PEER_PORT}" 1 "$MAX_TCP_PORT"
}

# Without leading zeros, which some would read as octal.
number_between() { # WHAT VALUE LEAST MOST
  { [[ $2 =~ ^(0|[1-9][0-9]{0,8})$ ]] && (($2 >= $3 && $2 <= $4)); } || die "$1 takes a number from $3 to $4, not $2"
}

# The do-nothing libibverbs in a folder of its own: whatever has that on its library path gets it.
build_natives() {
  need 'the C side of the benchmarks' gcc:gcc /usr/include/infiniband/verbs.h:libibverbs-dev /usr/include/rdma/rdma_cma.h:librdmacm-dev
  local sources=$project/verbs-bench/src/main/c
  mkdir -p "$natives/noop"
  compile -fPIC -shared -Wl,-soname,libibverbs.so.1 -o "$natives/noop/libibverbs.so.1" "$sources/noop_ibverbs.c"
  compile -fPIC -shared -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -o "$natives/liboverhead.so" \
    "$sources/overhead.c"
  compile -pthread -o "$natives/twin" "$sources/twin.c" -libverbs
  compile -pthread -o "$natives/cm_twin" "$sources/cm_twin.c" -lrdmacm -libverbs
}

# Which sources and which compiler: only this side knows. A copy without its history may lie in another repository.
find_facts() {
  local commit=unknown compiler
  if [[ $(git -C "$project" rev-parse --show-toplevel 2>/dev/null) == "$project" ]]; then
    commit=$(git -C "$project" rev-parse --short=12 HEAD)
    [[ -z $(git -C "$project" status --porcelain) ]] || commit+=+changes
  fi
  compiler=$(gcc --version | head -n 1)
  facts=("-Dverbs4j.bench.commit=$commit" "-Dverbs4j.bench.gcc=${compiler#gcc }")
}

compile() {
  attended gcc -O2 -Wall -Wextra -Werror "$@" && return
  ((ended_by == 0)) || exit "$ended_by"
  die 'the C side does not compile'
}

# JARs first: archives of classes (AppCDS, AOT cache) take no folders.
bench_classpath() {
  echo "$project/verbs-bench/target/$(basename "$project"/verbs-bench/target/verbs-bench-*[0-9T].jar):$(<"$project/verbs-bench/target/dependencies.classpath")"
}

bench_java() { # CLASS ARGUMENT…
  "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Djava.awt.headless=true -Djmh.ignoreLock=true "${properties[@]}" "${facts[@]}" -cp "$(bench_classpath)" "$@"
}

on_device() { # bench_java CLASS ARGUMENT…
  shift
  "$project/scripts/soft-roce" run "${via[@]}" -- "$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow -Djmh.ignoreLock=true "${properties[@]}" "${facts[@]}" -cp "$(bench_classpath)" "$@"
}

# What takes long runs in a process group of its own, beside this script: a shell looks at a signal only when the command that
# it waits for has ended, and a guest would run to its end without it. A signal is passed on as TERM, and the end awaited.
child='' ended_by=0

pass_on_signals() {
  trap 'stop_child 130' INT
  trap 'stop_child 143' TERM
  trap 'stop_child 129' HUP
}

stop_child() { # STATUS
  ended_by=$1
  [[ -z $child ]] || kill -TERM -- "-$child" 2>/dev/null || true
}

# Returns its status, or that of the signal which came meanwhile.
attended() { # COMMAND…
  local status=0
  ((ended_by == 0)) || return "$ended_by"
  set -m
  "$@" </dev/null &
  child=$!
  set +m
  ((ended_by == 0)) || stop_child "$ended_by"
  wait "$child" || status=$?
  if ((ended_by != 0)); then
    while kill -0 -- "-$child" 2>/dev/null; do sleep 0.1; done   # a signal ends the wait, not yet all of the group
    status=$ended_by
  fi
  child=''
  return "$status"
}

# A command that a signal ended has a status above SIGNALED.
readonly MAIN=io.github.verbs4j.bench.run.Main BAD_INPUT=2 SIGNALED=128

# One at a time: two would measure each other, and share their archives of classes.
begin_run() {
  local lock
  { mkdir -p "$bench_home" && exec {lock}>"$bench_home/lock"; } 2>/dev/null \
    || die "the results cannot be written to $bench_home"
  flock --nonblock "$lock" || die 'another run is under way here'
  trap without_results EXIT
}

# Whatever a signal has cut short.
without_results() {
  ((ended_by != 0)) || return 0
  say 'interrupted before the first result'
  exit "$ended_by"
}

# The device comes first: what is wrong with the options shows there. Who interrupts a part wants no other.
bench_all() { # EFFORT FILTER
  local effort=$1 filter=$2 parts folder part status=0
  find_facts
  parts=$(bench_java "$MAIN" parts "$effort" "$filter") || exit
  ((ended_by == 0)) || exit
  folder=$bench_home/$(date +%Y%m%d-%H%M%S)
  mkdir -p "$folder"
  rm -f "$natives"/first.*
  for part in $parts; do
    attended bench_part "$part" "$effort" "$natives" "$folder/$part.json" "$filter" || status=$?
    [[ $status -ne $BAD_INPUT && $status -le $SIGNALED ]] || break
  done
  if ! compgen -G "$folder/*.json" >/dev/null; then
    rm -rf "$folder"
    [[ $status -le $SIGNALED ]] || ended_by=$status
    exit "$status"
  fi
  trap - EXIT
  [[ $status -gt $SIGNALED ]] || ! measured_requests "$folder" || perftest_witness "$folder"
  ((ended_by == 0)) || status=$ended_by
  ended_by=0   # what has been measured is shown, unless there is another signal
  attended bench_report "$folder" || exit
  [[ $status -le $SIGNALED ]] || { say 'interrupted: these are the results so far' && exit "$status"; }
  [[ $status -eq 0 ]] || die 'not every benchmark was carried out: see "failed" above'
}

bench_part() { # PART ARGUMENT…
  if [[ $1 == device ]]; then
    on_device bench_java "$MAIN" run "$@"
  else
    LD_LIBRARY_PATH=$natives/noop bench_java "$MAIN" run "$@"
  fi
}

# Whether latencies or throughputs of the device are among the results: setting up and starting are no matter of perftest's.
measured_requests() { # FOLDER
  grep -qs '"kind": "device"' "$1/device.json"
}

# perftest measures the same in its own way, where it can: not in a UML guest, see there.
perftest_witness() { # FOLDER
  local property options=()
  have ib_write_lat && [[ ${via[*]} != *uml* ]] || return 0
  for property in "${properties[@]}"; do
    case $property in
      *.device=*) options+=(-d "${property#*=}") ;;
      *.port=*) options+=(-i "${property#*=}") ;;
      *.gid=*) options+=(-x "${property#*=}") ;;
      *.peer=*) say 'perftest is left out: it would need a server of its own on the peer' && return 0 ;;
    esac
  done
  attended witness "$1" "${options[@]}" || say "perftest did not run: see ${1#"$project/"}/perftest.txt"
}

witness() { # FOLDER OPTION…
  "$project/scripts/soft-roce" run "${via[@]}" -- "$project/scripts/lib/bench-perftest" "${@:2}" >"$1/perftest.txt" 2>&1
}

last_run() { find "$bench_home" -mindepth 1 -maxdepth 1 -type d -name '20*' 2>/dev/null | sort | tail -1; }

bench_report() { # FOLDER
  [[ -n $1 && -d $1 ]] || die 'there is no run to report on'
  local status=0
  bench_java "$MAIN" report "$1/report.html" "$1"/overhead.json "$1"/device.json || status=$?
  ((status < BAD_INPUT)) || return "$status"
  [[ ! -s $1/perftest.txt ]] || cat "$1/perftest.txt"
  ((status == 0)) || return "$status"
  say "the page with plots: ${1#"$project/"}/report.html"
}

# Between the two marks the page holds nothing but the run: machine, date and numbers all come from it.
bench_quote() { # FOLDER
  local page=$project/docs/benchmarks.md
  [[ -n $1 && -d $1 ]] || die 'there is no run to quote'
  grep -qs '^| ' "$1/table.md" || die "there is no table in $1/table.md"
  local part
  for part in '\* run: (quick|full)$' '\| overhead ' '\| device ' '\| start '; do
    grep -qE "^$part" "$1/table.md" || die "$1 is not a whole run of quick or full"
  done
  ! grep -qE '^\* (failed: |verbs4j: .*\+changes)' "$1/table.md" \
    || die "$1 is a run with failures, or of sources that were never committed"
  sed -i -e '/<!-- run -->/,/<!-- end of run -->/{/<!-- run -->/{p;r '"$1/table.md"'
  };/<!-- end of run -->/!d}' "$page" 2>/dev/null || die "$page cannot be written"
  say "quoted ${1#"$project/"} in docs/benchmarks.md"
}
