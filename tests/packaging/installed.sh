#!/bin/sh
# Tests the library as it is installed: found by CMake, by pkg-config, and with its C ABI.
# usage: installed.sh BUILD_DIR, where accrete is configured and built.
# shellcheck disable=SC1091,SC2154  # common.sh sets root and scratch
set -eu

build=$1
. "$(dirname -- "$0")/common.sh"

prefix="$scratch/install prefix"
quietly cmake --install "$build" --prefix "$prefix"
if [ -e "$build/accrete" ]; then
  quietly "$prefix/bin/accrete" --version
fi
# The package must not refer to the source tree.
if grep -rqF "$root" "$prefix"/lib*/cmake "$prefix"/lib*/*/cmake 2>/dev/null; then
  fail "the installed CMake package refers to the source folder"
fi
# Only the declared headers are installed, and they compile without the others.
declared=$(sed -n 's/^ *\(accrete\/[a-z0-9_/]*\.hpp\).*/\1/p' "$root/cmake/public_headers.cmake" | sort)
installed=$(cd "$prefix/include" && find accrete -type f | sort)
[ "$installed" = "$declared" ] || {
  printf '%s\n' "$declared" >"$scratch/declared"
  printf '%s\n' "$installed" | diff "$scratch/declared" - >&2 || true
  fail "the installed headers (>) are not those of cmake/public_headers.cmake (<)"
}
printf '%s\n' "$declared" | sed 's/.*/#include <&>/' >"$scratch/headers.cpp"
quietly "${CXX:-c++}" -std=c++20 -fsyntax-only -I "$prefix/include" "$scratch/headers.cpp"
consume installed -DACCRETE_FROM=package -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release

# The C ABI from a moved prefix: with pkg-config and a C compiler, then with CMake.
if [ -e "$build/libaccrete.so" ]; then
  moved="$scratch/moved prefix"
  mv "$prefix" "$moved"
  pc=$(find "$moved" -name accrete.pc)
  [ -n "$pc" ] || fail "accrete.pc is not installed"
  [ -f "$moved/include/accrete.h" ] || fail "accrete.h is not installed"
  flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs accrete) || fail "pkg-config does not find accrete"
  # eval: pkg-config quotes the flags for a shell.
  quietly eval "cc -std=c99 -Wall -Wextra -Wpedantic -Werror '$root/examples/c/predict.c' $flags -o '$scratch/predict'"
  output=$(LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$scratch/predict" "$scratch/installed/xor.safetensors" 1 1 -1 1) ||
    fail "examples/c failed"
  printf '%s\n' "$output"
  [ "$(printf '%s\n' "$output" | sed 's/.* //' | tr '\n' ' ')" = "same different same different " ] ||
    fail "examples/c printed other predictions than expected"
  quietly cmake -S "$root/examples/c" -B "$scratch/c" -G Ninja -DCMAKE_PREFIX_PATH="$moved"
  quietly cmake --build "$scratch/c"
  quietly "$scratch/c/predict" "$scratch/installed/xor.safetensors" 1 1
fi
printf 'packaging: passed\n'
