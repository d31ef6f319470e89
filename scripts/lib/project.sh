# The JDK, the build tools and the build, for the scripts that run Java.
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared by the parts

project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
# shellcheck source=soft-roce/common.sh
. "$project/scripts/lib/soft-roce/common.sh"
# shellcheck source=soft-roce/packages.sh
. "$project/scripts/lib/soft-roce/packages.sh"

readonly NEEDED_JDK=25

jdk_version() { # HOME
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null
}

# Exports JAVA_HOME: the one that is set if it will do, else the newest in the usual places.
find_jdk() {
  local home version best='' best_version=0
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /usr/local/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
    [[ -n $home && -x $home/bin/javac ]] || continue
    version=$(jdk_version "$home")
    [[ ${version:-0} -ge $NEEDED_JDK ]] || continue
    if [[ $home == "${JAVA_HOME:-}" ]]; then
      export JAVA_HOME
      return
    fi
    [[ $version -le $best_version ]] || { best=$home best_version=$version; }
  done
  [[ -n $best ]] || die "no JDK $NEEDED_JDK or later in JAVA_HOME or /usr/lib/jvm; install one (Temurin $NEEDED_JDK, for example) and set JAVA_HOME"
  export JAVA_HOME=$best
}

need_build_tools() {
  find_jdk
  need 'the build' mvn:maven
}

maven() { mvn --batch-mode --no-transfer-progress --strict-checksums "$@"; }

# True when a module's class path file is older than something it was made from, or not there.
stale() { # MODULE…
  local module
  for module; do
    [[ -f $project/$module/target/dependencies.classpath ]] || return 0
    [[ -z $(find "$project/pom.xml" "$project"/verbs-*/pom.xml "$project"/verbs-*/src/main "$project"/verbs-*/src/generated \
      -newer "$project/$module/target/dependencies.classpath" -print -quit 2>/dev/null) ]] || return 0
  done
  return 1
}

# Builds the modules, unless they are up to date; the log is shown when that fails. Another script may be at it.
build() { # MODULE…
  stale "$@" || return 0
  need_build_tools
  local log modules lock
  mkdir -p "$project/target"
  exec {lock}>"$project/target/build.lock"
  flock "$lock"
  stale "$@" || { exec {lock}>&- && return 0; }
  log=$(mktemp)
  modules=$(IFS=,; echo "$*")
  say "building $modules with $JAVA_HOME"
  if ! (cd "$project" && maven -q -DskipTests -pl "$modules" -am package) >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die 'the build failed'
  fi
  rm -f "$log"
  exec {lock}>&-
}

# For a script without arguments: what its first lines say answers --help, and any other.
refuse_arguments() { # ARGUMENT…
  [[ $# -gt 0 ]] || return 0
  [[ $1 == -h || $1 == --help ]] || say "there is no argument $1"
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  [[ $1 == -h || $1 == --help ]] || exit 2
  exit 0
}
