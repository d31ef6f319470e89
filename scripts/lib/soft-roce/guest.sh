# Runs one guest from beginning to end: starts it, passes input and output, watches over it, and leaves nothing behind.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

readonly TICK=0.05 TICKS=20   # ticks in a second
guest='' feeder='' follower_out='' follower_err='' stop='' state=''

# run_in_guest KIND COMMAND… - ends the script. start_uml or start_qemu (by $way) leaves the guest's process in $guest.
run_in_guest() {
  local kind=$1 start=$2
  shift 2
  trap 'stop=130' INT
  trap 'stop=143' TERM
  trap 'stop=129' HUP
  trap 'clean_up' EXIT
  make_state
  write_request "$kind" "$@"
  mkfifo "$state/ticks"
  exec {ticks}<>"$state/ticks"
  if [[ $kind == shell ]]; then
    saved_terminal=$(stty -g)
    "$start" shell
  else
    "$start" command
    start_copies
  fi
  disown "$guest"   # else bash reports how it died
  watch_guest "$kind"
}

start_copies() {
  exec {out}<"$state/out" {err}<"$state/err"
  tail -c +1 -s "$TICK" -f --pid="$guest" - <&"$out" & follower_out=$!
  tail -c +1 -s "$TICK" -f --pid="$guest" - <&"$err" >&2 & follower_err=$!
  feed_input <&"$input" >/dev/null 2>&1 & feeder=$!
}

# One read of the input is one piece, so that what is typed arrives at once. While the guest has a piece to read, what
# is there already is added to the next one, up to 16 MiB.
feed_input() {
  local n=0 reader='' size=0 before
  trap '[[ -z $reader ]] || kill "$reader"; exit' TERM
  while [[ -d $state ]]; do
    before=$size
    dd bs=1M count=1 oflag=append conv=notrunc of="$state/in.new" status=none <&0 & reader=$!
    wait "$reader" || true
    reader=''
    size=$(stat -c %s "$state/in.new")
    while [[ -e $state/in.$((n - 1)) ]] && { ((size >= 16777216 || size == before)) || ! read -r -t 0; }; do sleep "$TICK"; done
    if [[ -e $state/in.$((n - 1)) ]]; then continue; fi
    if ((size > 0)); then
      mv "$state/in.new" "$state/in.$n"
      n=$((n + 1))
    fi
    if ((size == before)); then break; fi
    size=0
  done
  : >"$state/in.eof.$n"
}

watch_guest() {
  local kind=$1 tick=0 beat='' last='' quiet=0 deadline gone=0
  deadline=$((${EPOCHREALTIME//[.,]/} + timeout * 1000000))
  while kill -0 "$guest" 2>/dev/null; do
    read -r -t "$TICK" -u "$ticks" _ || true
    tick=$((tick + 1))
    if [[ -n $stop ]]; then finish "$stop"; fi
    if ((timeout > 0 && ${EPOCHREALTIME//[.,]/} >= deadline)); then
      say "$timeout seconds are over; the guest is ended"
      finish "$TIMED_OUT"
    fi
    if [[ $kind == command ]] && ! kill -0 "$follower_out" 2>/dev/null && kill -0 "$guest" 2>/dev/null && [[ -z $stop ]]; then
      finish 141   # nobody reads the output any more: as SIGPIPE would do
    fi
    if [[ -s $state/status ]] && (((gone += 1) > 2 * TICKS)); then break; fi   # done, but slow to power off
    if ((tick % TICKS == 0)); then
      { read -r beat <"$state/alive"; } 2>/dev/null || true
      if [[ $beat != "$last" ]]; then last=$beat quiet=0; else quiet=$((quiet + 1)); fi
      if ((stall > 0 && quiet >= stall)); then guest_failed "the guest has given no sign of life for $stall seconds"; fi
    fi
  done
  if [[ -n $stop ]]; then finish "$stop"; fi
  [[ -s $state/status ]] || guest_failed 'the guest ended before its command did'
  finish "$(<"$state/status")"
}

guest_failed() {
  local kept
  end_guest
  drain_output
  kept=$(mktemp "${TMPDIR:-/tmp}/soft-roce-console.XXXXXXXX")
  tr -d '\r' <"$state/console" >"$kept"
  say "$1; its console log:"
  cat "$kept" >&2
  say "the console log is kept in $kept"
  exit "$FAILED"
}

finish() {
  end_guest
  drain_output
  [[ -z $console ]] || tr -d '\r' <"$state/console" >"$console"
  [[ $dmesg -eq 0 ]] || tr -d '\r' <"$state/console" >&2
  exit "$1"
}

# The followers end by themselves when the guest is gone; what they may have missed comes after them, at the same offset.
drain_output() {
  [[ -n $follower_out ]] || return 0
  wait "$follower_out" "$follower_err" 2>/dev/null || true
  follower_out=''
  cat <&"$out" 2>/dev/null || true
  cat <&"$err" >&2 2>/dev/null || true
}

# A guest's processes are one session. The first process gets the chance to end the others: when the kernel of a UML
# guest is killed first, the processes that it traces would run on, on the host.
end_guest() {
  local try pids
  [[ -n $guest ]] || return 0
  if kill -TERM "$guest" 2>/dev/null; then
    for ((try = 0; try < 3 * TICKS; try++)); do
      kill -0 "$guest" 2>/dev/null || break
      sleep "$TICK"
    done
  fi
  if kill -STOP "$guest" 2>/dev/null; then
    mapfile -t pids < <(session_of_guest | grep -vx "$guest")
    [[ ${#pids[@]} -eq 0 ]] || kill -KILL "${pids[@]}" 2>/dev/null || true
    kill -KILL "$guest" 2>/dev/null || true
  fi
  mapfile -t pids < <(session_of_guest)
  [[ ${#pids[@]} -eq 0 ]] || kill -KILL "${pids[@]}" 2>/dev/null || true
  guest=''
}

session_of_guest() {
  local stat line rest
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    read -r -a rest <<<"${line##*) }"   # state, parent, group, session, …
    [[ ${rest[3]} != "$guest" || ${rest[0]} == Z ]] || echo "${line%% *}"
  done
}

clean_up() {
  trap '' INT TERM HUP
  end_guest
  [[ -z $feeder ]] || kill -TERM "$feeder" 2>/dev/null || true
  [[ -z $feeder ]] || wait "$feeder" 2>/dev/null || true
  [[ -z $follower_out ]] || kill "$follower_out" "$follower_err" 2>/dev/null || true
  [[ -z ${saved_terminal:-} ]] || stty "$saved_terminal" || true
  [[ -z $state ]] || rm -rf "$state"
}
