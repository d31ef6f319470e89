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

# attribute NAME: the sum of an attribute over the suites of all JUnit reports.
attribute() {
  cat "$reports"/TEST-*.xml 2>/dev/null | sed -n "s/^<testsuite .* $1=\"\([0-9]*\)\".*/\1/p" | awk '{n += $1} END {print n + 0}'
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
