#!/bin/sh
# Runs every CUDA test under compute-sanitizer, each in its own process.
#
#   tests/cuda/sanitize.sh [BUILD [TOOL...]]      default: build/cuda, memcheck and racecheck
#
# Prints a line per test and tool. Fails if a tool reports an error, or a test fails or takes longer than ACCRETE_LIMIT
# seconds (300). ACCRETE_JOBS processes (8) run at a time; their output is in BUILD/sanitize. Tests run with
# ACCRETE_SMALL_TESTS (cuda_test.hpp). Build with -DCMAKE_CUDA_FLAGS=-lineinfo to see source lines in reports.
set -u
build=${1:-build/cuda}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- memcheck racecheck
export PATH="$PATH:/usr/local/cuda/bin" ACCRETE_SMALL_TESTS=1 build
logs=$build/sanitize
rm -rf "$logs"
mkdir -p "$logs"

# One Suite.Name per line, without the comments on parameters.
names() { "$build/accrete_cuda_tests" --gtest_list_tests | awk '/^[^ ].*\.$/ { suite = $1 } /^ / { print suite $1 }'; }

# shellcheck disable=SC2016
one='
test=$1 tool=$2 log=$build/sanitize/$2-$(echo "$1" | tr / _)
start=$(date +%s)
timeout "${ACCRETE_LIMIT:-300}" compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/accrete_cuda_tests" \
  --gtest_brief=1 --gtest_filter="$test" >"$log" 2>&1
rc=$?
grep -q SKIPPED "$log" && rc=skipped
case $rc in 0) result=clean ;; 9) result=ERRORS ;; 124) result=TIMEOUT ;; skipped) result=SKIPPED ;; *) result="FAILED ($rc)" ;; esac
printf "%-10s %-64s %-10s %4d s\n" "$tool" "$test" "$result" $(($(date +%s) - start))
'
for tool in "$@"; do names | sed "s/\$/ $tool/"; done | xargs -P "${ACCRETE_JOBS:-8}" -L 1 sh -c "$one" sh | tee "$logs/table"
all=$(wc -l <"$logs/table")
clean=$(grep -c ' clean ' "$logs/table")
echo "$clean of $all clean"
[ "$clean" -eq "$all" ] && [ "$all" -gt 0 ]
