#!/bin/sh
# Writes docs/measurements/experiments.md, its figures and its tables from a store of results.
#
#   experiments/publish.sh runs.sqlite
#
# Uses build/release/accrete, or the command in the environment variable ACCRETE. docs/experiments.md, the summary, is
# written by hand.
set -eu

[ $# -eq 1 ] || { echo "usage: experiments/publish.sh STORE" >&2; exit 2; }
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
pages=$root/docs/measurements
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT

"${ACCRETE:-$root/build/release/accrete}" experiment report --store "$1" -o "$report" --quiet >/dev/null
rm -rf "$pages/experiments"
mkdir -p "$pages/experiments"
cp "$report"/figures/*.svg "$report"/table.csv "$report"/scores.csv "$pages/experiments/"
sed 's|(figures/|(experiments/|g' "$report/experiments.md" >"$pages/experiments.md"
echo "wrote $pages/experiments.md"
