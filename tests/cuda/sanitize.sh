#!/bin/sh
# Every test of the GPU's part under compute-sanitizer, each in a process of its own, several at a time.
#
#   tests/cuda/sanitize.sh [BUILD [TOOL...]]      of build/cuda, under memcheck and racecheck
#
# Prints a line for each test and tool and fails if any found something, failed, or took longer than ACCRETE_LIMIT
# seconds (300). ACCRETE_JOBS (8) run at a time; what a tool said is left in BUILD/sanitize. Tests do less there
# (ACCRETE_SMALL_TESTS, cuda_test.hpp). Sources are named in what a tool says if the build had
# -DCMAKE_CUDA_FLAGS=-lineinfo.
set -u
build=${1:-build/cuda}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- memcheck racecheck
export PATH="$PATH:/usr/local/cuda/bin" ACCRETE_SMALL_TESTS=1 build
logs=$build/sanitize
rm -rf "$logs"
mkdir -p "$logs"

# Suite.Name a line, without what gtest says of parameters.
names() { "$build/accrete_cuda_tests" --gtest_list_tests | awk '/^[^ ].*\.$/ { suite = $1 } /^ / { print suite $1 }'; }

# shellcheck disable=SC2016
one='
test=$1 tool=$2 log=$build/sanitize/$2-$(echo "$1" | tr / _)
start=$(date +%s)
timeout "${ACCRETE_LIMIT:-300}" compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/accrete_cuda_tests" \
  --gtest_brief=1 --gtest_filter="$test" >"$log" 2>&1
rc=$?
grep -q SKIPPED "$log" && rc=skipped
case $rc in 0) said=clean ;; 9) said=FOUND ;; 124) said="TOO LONG" ;; skipped) said=SKIPPED ;; *) said="FAILED ($rc)" ;; esac
printf "%-10s %-64s %-10s %4d s\n" "$tool" "$test" "$said" $(($(date +%s) - start))
'
for tool in "$@"; do names | sed "s/\$/ $tool/"; done | xargs -P "${ACCRETE_JOBS:-8}" -L 1 sh -c "$one" sh | tee "$logs/table"
all=$(wc -l <"$logs/table")
clean=$(grep -c ' clean ' "$logs/table")
echo "$clean of $all clean"
[ "$clean" -eq "$all" ] && [ "$all" -gt 0 ]
