#!/bin/sh
# The library as others get it: installed and found, then as a folder of their project.
# usage: run.sh BUILD_DIR, a folder where accrete is configured and built.
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
# quietly COMMAND...: shows its output only when it fails.
quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "failed: $*"
  }
}
# consume NAME CMAKE_ARGUMENT...: configures, builds and runs the example in $scratch/NAME.
consume() {
  name=$1
  shift
  quietly cmake -S "$root/examples/consume" -B "$scratch/$name" -G Ninja "$@"
  quietly cmake --build "$scratch/$name"
  (cd "$scratch/$name" && ./consume) || fail "the example does not run ($name)"
}

prefix="$scratch/an installed place"
quietly cmake --install "$build" --prefix "$prefix"
if [ -e "$build/accrete" ]; then
  quietly "$prefix/bin/accrete" --version
fi
# Only what is installed may be used: the headers must not lean on the source tree.
if grep -rqF "$root" "$prefix"/lib*/cmake "$prefix"/lib*/*/cmake 2>/dev/null; then
  fail "the installed CMake package names the source folder"
fi
consume installed -DACCRETE_FROM=package -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release

# The C ABI: by pkg-config, with a C compiler alone, from a prefix that was moved; then by CMake.
if [ -e "$build/libaccrete.so" ]; then
  moved="$scratch/another place"
  mv "$prefix" "$moved"
  pc=$(find "$moved" -name accrete.pc)
  [ -n "$pc" ] || fail "accrete.pc is not installed"
  [ -f "$moved/include/accrete.h" ] || fail "accrete.h is not installed"
  flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs accrete) || fail "pkg-config does not find accrete"
  # The flags are quoted for a shell.
  quietly eval "cc -std=c99 -Wall -Wextra -Wpedantic -Werror '$root/examples/c/predict.c' $flags -o '$scratch/predict'"
  said=$(LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$scratch/predict" "$scratch/installed/xor.safetensors" 1 1 -1 1) ||
    fail "the C example does not run"
  printf '%s\n' "$said"
  [ "$(printf '%s\n' "$said" | sed 's/.* //' | tr '\n' ' ')" = "same different same different " ] ||
    fail "the C example says something else"
  quietly cmake -S "$root/examples/c" -B "$scratch/c" -G Ninja -DCMAKE_PREFIX_PATH="$moved"
  quietly cmake --build "$scratch/c"
  quietly "$scratch/c/predict" "$scratch/installed/xor.safetensors" 1 1
fi

consume subdirectory -DACCRETE_FROM=subdirectory -DCMAKE_CXX_FLAGS=-O1
for target in accrete_cli accrete_tests accrete_c; do
  if ninja -C "$scratch/subdirectory" -t query "$target" >/dev/null 2>&1; then
    fail "inside another project, $target is a target"
  fi
done
if cmake --install "$scratch/subdirectory" --prefix "$scratch/none" >/dev/null 2>&1 &&
  [ -n "$(find "$scratch/none" -type f 2>/dev/null)" ]; then
  fail "inside another project, accrete installs files"
fi
printf 'packaging: installed and subdirectory both work\n'
