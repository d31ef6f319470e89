# What every part needs: messages, the cache, the lock.
# shellcheck shell=bash

readonly FAILED=125 TIMED_OUT=124
cache=${XDG_CACHE_HOME:-$HOME/.cache}/verbs4j

say() { printf 'soft-roce: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit "$FAILED"
}

have() { command -v "$1" >/dev/null 2>&1; }

# One preparation at a time; a second one waits and then finds the work done. Released when the subshell that holds it ends.
lock_cache() {
  mkdir -p "$cache"
  exec {lock_fd}>"$cache/lock"
  if ! flock -n "$lock_fd"; then
    say 'another preparation is running; waiting for it'
    flock "$lock_fd"
  fi
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
