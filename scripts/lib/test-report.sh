# Runs the steps of scripts/test and adds up what they report.
# shellcheck shell=bash disable=SC2154 # variables shared by the parts

step() { # NAME COMMAND…
  local name=$1 begin=$SECONDS status=0
  shift
  say "$name …"
  "$@" || status=$?
  say "$name: $((SECONDS - begin)) s$([[ $status -eq 0 ]] || echo ", FAILED with status $status")"
  return "$status"
}

# Runs a script that closes with «N passed, N failed, N skipped» and keeps that line.
run_script_tests() { # SCRIPT
  local output=$reports/${1##*/}.txt
  "$1" 2>&1 | tee "$output"
}

# Runs tests in a guest (or where the device is) and names the one that a guest took along with it.
run_device_tests() { # PART…
  local status=0 part test
  "$project/scripts/soft-roce" run --timeout 3600 -- "$project/scripts/lib/device-tests" "$reports" "$@" || status=$?
  for part; do
    test=$(running_test "$reports/$part.feed")
    [[ -z $test ]] || say "$part ended in $test"
    [[ -f $reports/$part.feed ]] || say "$part was not reached"
  done
  return "$status"
}

# The test that has begun and not ended, by the feed that device-tests leaves.
running_test() { # FEED
  [[ ! -f $1 ]] || awk '/ :: STARTED$/ { sub(/ :: STARTED$/, ""); test = $0; next }
    index($0, test " :: ") == 1 { test = "" }
    END { if (test != "") print test }' "$1"
}

# side_by_side NAME COMMAND [NAME COMMAND]…: runs them at the same time, and shows what each printed when it has ended.
side_by_side() {
  local pid status=0
  declare -gA log_of=()
  trap 'end_jobs 130' INT
  trap 'end_jobs 143' TERM
  # Each a process group, which can be ended with all that is in it.
  set -m
  while [[ $# -gt 0 ]]; do
    say "beside each other: $1"
    step "$1" "$2" </dev/null >"$reports/$2.log" 2>&1 &
    log_of[$!]=$reports/$2.log
    shift 2
  done
  set +m
  while [[ ${#log_of[@]} -gt 0 ]]; do
    wait -n -p pid "${!log_of[@]}" || status=1
    cat "${log_of[$pid]}"
    unset "log_of[$pid]"
  done
  trap - INT TERM
  return "$status"
}

end_jobs() { # STATUS
  trap '' INT TERM
  local pid
  for pid in "${!log_of[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  wait
  cat "${log_of[@]}"
  exit "$1"
}

# attribute NAME: the sum of an attribute over the suites of all JUnit reports.
attribute() {
  { cat "$reports"/TEST-*.xml 2>/dev/null || true; } | sed -n "s/^<testsuite .* $1=\"\([0-9]*\)\".*/\1/p" | awk '{n += $1} END {print n + 0}'
}

# Prints the sum as the last line; fails when something failed, was skipped, or nothing ran.
summarize() { # STATUS
  local tests failures errors skipped passed failed line
  tests=$(attribute tests) failures=$(attribute failures) errors=$(attribute errors) skipped=$(attribute skipped)
  failed=$((failures + errors)) passed=$((tests - failures - errors - skipped))
  while read -r line; do
    [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]] || continue
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + BASH_REMATCH[3]))
  done < <(cat "$reports"/*.txt 2>/dev/null)
  # A step that broke without a failed test of its own counts as one.
  [[ $1 -eq 0 || $failed -gt 0 ]] || failed=1
  echo "$passed passed, $failed failed, $skipped skipped"
  [[ $failed -eq 0 && $skipped -eq 0 && $passed -gt 0 ]]
}
