#!/bin/sh
# Writes docs/experiments.md, its figures and its tables from a store of results.
#
#   experiments/publish.sh runs.sqlite
#
# Takes the command of build/release, or the one that the environment variable ACCRETE names.
set -eu

[ $# -eq 1 ] || { echo "usage: experiments/publish.sh STORE" >&2; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT

"${ACCRETE:-$root/build/release/accrete}" experiment report --store "$1" -o "$report" --quiet >/dev/null
rm -rf "$root/docs/experiments"
mkdir -p "$root/docs/experiments"
cp "$report"/figures/*.svg "$report"/table.csv "$report"/scores.csv "$root/docs/experiments/"
{
  sed 's|(figures/|(experiments/|g' "$report/experiments.md"
  cat "$root/experiments/experiments_tail.md"
} >"$root/docs/experiments.md"
echo "wrote $root/docs/experiments.md"
