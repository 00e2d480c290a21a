#!/bin/sh
# Tests the library as a subproject, whose parent builds it. It compiles the whole library.
# shellcheck disable=SC1091,SC2154  # common.sh sets root and scratch
set -eu

. "$(dirname -- "$0")/common.sh"

# One instruction set and several files at a time build the library in a fraction of the time.
consume subdirectory -DACCRETE_FROM=subdirectory -DACCRETE_UNITY=ON -DCMAKE_CXX_FLAGS='-O1 -DHWY_COMPILE_ONLY_STATIC'
for target in accrete_cli accrete_tests accrete_c; do
  if ninja -C "$scratch/subdirectory" -t query "$target" >/dev/null 2>&1; then
    fail "as a subdirectory, accrete defines the target $target"
  fi
done
if cmake --install "$scratch/subdirectory" --prefix "$scratch/none" >/dev/null 2>&1 &&
  [ -n "$(find "$scratch/none" -type f 2>/dev/null)" ]; then
  fail "as a subdirectory, accrete installs files"
fi
printf 'packaging: passed\n'
