# The private directory of one run, through which host and guest talk, and its removal.
# shellcheck shell=bash

# What is in it: request/ (read by the guest: command, environment, writable, settings, terminal), in.N and in.eof.N
# (standard input in pieces), out, err, started, alive (a number that grows), status, console (the log), guest-init.

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
  local kind=$1 scratch=()
  shift
  [[ -z ${TMPDIR:-} || $TMPDIR == /tmp || $TMPDIR == /var/tmp || $TMPDIR != /* ]] || scratch=("$TMPDIR")
  write_list command "$@"
  write_list writable "${writable[@]}"
  write_list settings "$PWD" "$(uname -n)" "$kind" "${scratch[@]}"
  { [[ $kind == shell ]] && stty size 2>/dev/null || true; } >"$state/request/terminal"
  # In the guest the caller is root; HOME stays the caller's, as do all other variables.
  env -0 "SOFT_ROCE=$way" >"$state/request/environment"
}
