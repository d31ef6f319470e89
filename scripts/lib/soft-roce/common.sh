# What every part needs: messages, the cache, the lock.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

readonly FAILED=125 TIMED_OUT=124
cache=${XDG_CACHE_HOME:-$HOME/.cache}/verbs4j

say() { printf '%s: %s\n' "${program:-soft-roce}" "$*" >&2; }

die() {
  say "$*"
  exit "$FAILED"
}

have() { command -v "$1" >/dev/null 2>&1; }

# One preparation at a time; a second one waits and then finds the work done. What is made in $build vanishes with a
# preparation that fails or is interrupted; $worker is the session that does the long work.
begin_build() { # KIND
  mkdir -p "$cache/$1"
  exec {lock_fd}>"$cache/lock"
  if ! flock -n "$lock_fd"; then
    say 'another preparation is running; waiting for it'
    flock "$lock_fd"
  fi
  worker=''
  trap 'abandon_build' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  build=$(mktemp -d "$cache/$1/build.XXXXXXXX")
}

abandon_build() {
  [[ -z $worker ]] || kill -TERM -- "-$worker" 2>/dev/null || true
  [[ -z $worker ]] || wait "$worker" 2>/dev/null || true
  rm -rf "${build:-}"
}

end_build() {
  worker=''
  abandon_build
  trap - EXIT INT TERM HUP
  exec {lock_fd}>&-
}

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }
