# shellcheck shell=sh
# Sourced by dev: fuzz.
# shellcheck disable=SC2154  # common.sh sets the package lists and jobs

# do_fuzz [NAME|all [SECONDS]]
do_fuzz() {
  target=${1:-}
  seconds=${2:-60}
  names=$(sed -n 's/^    {"\([a-z_]*\)", ".*/\1/p' tests/fuzz/targets.cpp | tr '\n' ' ')
  if [ -z "$target" ]; then
    say "targets: ${names}(or all)"
    return 0
  fi
  case " all $names" in *" $target "*) ;; *) usage_error "fuzz: unknown target $target; there are: all $names" ;; esac
  case $seconds in '' | *[!0-9]*) usage_error "fuzz: SECONDS must be a whole number, got $seconds" ;; esac
  [ "$target" = all ] || names=$target
  # shellcheck disable=SC2086
  need $build_packages $fuzz_packages
  configure fuzz
  for name in $names; do compile fuzz "fuzz_$name"; done
  for name in $names; do fuzz_target "$name" "$seconds"; done
  say "no findings"
}

# fuzz_target NAME SECONDS: inputs that reach new code are kept in build/fuzz/corpus between runs.
fuzz_target() {
  corpus="build/fuzz/corpus/$1"
  mkdir -p "$corpus" build/fuzz/findings
  say "fuzz $1: $2 seconds on $jobs cores; findings go to build/fuzz/findings"
  # Short stacks of allocations and a small quarantine of freed memory make an execution cheaper. To examine a finding,
  # run the program on it without these options.
  ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=16 \
    "build/fuzz/fuzz_$1" "$corpus" "tests/fuzz/cases/$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -fork="$jobs" -artifact_prefix="build/fuzz/findings/$1-" 2>&1 |
    tee "build/fuzz/$1.log" | grep -E '^#[0-9]+: cov|ERROR|SUMMARY|Finding|stat::' || true
  ! ls "build/fuzz/findings/$1-"* >/dev/null 2>&1 ||
    die "findings in build/fuzz/findings/$1-*; copy a minimised case to tests/fuzz/cases/$1"
}
