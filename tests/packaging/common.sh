# shellcheck shell=sh
# Sourced by installed.sh and subproject.sh: a scratch folder, messages, and the project that uses the library.

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
  printf '%s\n' "packaging: $*" >&2
  exit 1
}
# quietly COMMAND...: print the output only if the command fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "failed: $*"
  }
}
# consume NAME CMAKE_ARGUMENT...: configure, build and run examples/consume in $scratch/NAME.
consume() {
  name=$1
  shift
  quietly cmake -S "$root/examples/consume" -B "$scratch/$name" -G Ninja "$@"
  quietly cmake --build "$scratch/$name"
  for program in consume custom_loss; do
    (cd "$scratch/$name" && "./$program") || fail "examples/consume/$program failed ($name)"
  done
}
