#!/bin/sh
# Everything that needs a GPU: builds with CUDA in build/cuda, runs the tests, plain and under compute-sanitizer, runs
# every command that has --device on both devices, then the benchmarks.
#
#   bench/cuda/all.sh [FOLDER]      FOLDER may have breast_cancer.csv, boston.csv, digits.csv and magic.csv.gz
#
# ACCRETE_CMAKE_ARGS is passed to cmake. Failures are listed at the end.
set -u
cd "$(dirname "$0")/../.." || exit 1
data=${1:-}
PATH="$PATH:/usr/local/cuda/bin"
failed=""

say() { printf '\n== %s\n' "$*"; }
try() {
  "$@" || failed="$failed
  $*"
}
# score NAME: the score of a JSON report of cv
score() { python3 -c 'import json, sys; print(sys.argv[1], json.load(sys.stdin)["score"])' "$1"; }

say "build"
# shellcheck disable=SC2086
cmake -B build/cuda -DCMAKE_BUILD_TYPE=Release -DACCRETE_CUDA=ON -DACCRETE_BUILD_BENCH=ON \
  -DCMAKE_CUDA_ARCHITECTURES="${ACCRETE_CUDA_ARCH:-90-real}" -DCMAKE_CUDA_FLAGS=-lineinfo ${ACCRETE_CMAKE_ARGS:-} >/dev/null || exit 1
cmake --build build/cuda --parallel --target accrete_cuda_tests bench_many_fits bench_one_fit accrete_cli >build/cuda/log 2>&1 ||
  { tail -40 build/cuda/log; exit 1; }
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader

say "tests"
try build/cuda/accrete_cuda_tests --gtest_brief=1

say "tests under compute-sanitizer"
try tests/cuda/sanitize.sh build/cuda

say "commands on both devices"
accrete=$PWD/build/cuda/accrete
scratch=$(mktemp -d)
"$accrete" data make waveform -n 2000 -o "$scratch/w.csv" >/dev/null
for device in cpu cuda; do
  try "$accrete" cv "$scratch/w.csv" --preset paper --folds 5 --device $device --json >"$scratch/cv.json"
  score "cv $device" <"$scratch/cv.json"
  try "$accrete" cv "$scratch/w.csv" --auto off --units 100 --folds 5 --device $device --json >"$scratch/cv.json"
  score "cv, default preset, $device" <"$scratch/cv.json"
  try "$accrete" compare "$scratch/w.csv" --methods accrete,paper --folds 3 --device $device
  try "$accrete" train "$scratch/w.csv" --auto off --units 200 --validation-fraction 0.2 --patience 60 \
    --device $device -o "$scratch/$device.safetensors"
  try "$accrete" evaluate "$scratch/$device.safetensors" "$scratch/w.csv"
done
try "$accrete" search "$scratch/w.csv" --preset paper --units 60 --folds 3 --device cuda -o "$scratch/s.safetensors"
for device in cpu cuda; do
  try "$accrete" grow "$scratch/s.safetensors" "$scratch/w.csv" --units 120 --device $device -o "$scratch/more.safetensors"
  try "$accrete" evaluate "$scratch/more.safetensors" "$scratch/w.csv"
done
rm -rf "$scratch"

say "many fits"
files="twonorm:570"
for name in breast_cancer.csv boston.csv digits.csv magic.csv.gz; do
  [ -n "$data" ] && [ -f "$data/$name" ] && files="$files $data/$name"
done
for file in $files; do
  units=1
  [ "${file%digits.csv}" = "$file" ] || units=3
  try build/cuda/bench_many_fits "$file" --set units_per_step=$units --cpu 4
done

say "special passes: with, and without"
# pass NAME BENCHMARK ARGUMENTS...
pass() {
  name=$1 program=build/cuda/bench_$2
  shift 2
  try "$program" "$@"
  try "$program" "$@" --without "$name"
}
pass fixed_kernels many_fits twonorm:570 --cpu 0
pass warp_kernels many_fits twonorm:570 --cpu 0
[ -z "$data" ] || [ ! -f "$data/magic.csv.gz" ] || pass single_pass many_fits "$data/magic.csv.gz" --fits 1000 --cpu 0
pass tiles one_fit --seeds 1 --one-core 0

say "one fit"
for file in twonorm:2000 twonorm:20000 twonorm:200000 twonorm:1000000; do
  try build/cuda/bench_one_fit "$file" --set units=40 --seeds 1
done
try build/cuda/bench_one_fit --seeds 1
try build/cuda/bench_one_fit waveform:100000 --set units=40 --seeds 1
try build/cuda/bench_one_fit friedman1:100000 --set units=40 --seeds 1
[ -z "$data" ] || [ ! -f "$data/magic.csv.gz" ] || try build/cuda/bench_one_fit "$data/magic.csv.gz" --set units=200

say "one fit with lookup tables"
for file in friedman1:1000000 twonorm:1000000 waveform:200000; do
  try build/cuda/bench_one_fit "$file" --set bins=64 --set units_per_step=16 --set units=96 --seeds 1
done

[ -z "$failed" ] || { printf '\nfailed:%s\n' "$failed"; exit 1; }
say "no failures"
