#!/bin/sh
# Tests the library as its users build it: installed and found by CMake or pkg-config, and as a subdirectory.
# usage: run.sh BUILD_DIR, where accrete is configured and built.
set -eu

build=$1
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
