#!/bin/sh
# Checks that the library exports exactly the functions of the header.
# usage: symbols.sh LIBRARY HEADER
set -eu

# A version node is an absolute symbol (A); with it nm appends @@NODE to the names.
exported=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
declared=$(sed -n 's/^ACCRETE_API .*[ *]\(accrete_[a-z_]*\)(.*/\1/p' "$2" | sort)
[ -n "$declared" ] || {
  echo "symbols: no function found in $2" >&2
  exit 1
}
[ "$exported" = "$declared" ] || {
  printf 'symbols: exported:\n%s\ndeclared:\n%s\n' "$exported" "$declared" >&2
  exit 1
}
