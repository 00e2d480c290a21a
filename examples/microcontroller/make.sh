#!/bin/sh
# Trains the example's model anew and writes its header.
# usage: make.sh ACCRETE, the command that ./dev build leaves at build/release/accrete.
#
# The header follows from waves.safetensors to the byte; the model itself from the data and the seed, to the last digits
# on another kind of processor.
set -eu

accrete=$(realpath -- "${1:?usage: make.sh ACCRETE}")
cd "$(dirname -- "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$accrete" data make waveform --rows 5000 --seed 1 -o "$scratch/waves.csv"
"$accrete" train "$scratch/waves.csv" --units 40 --units-per-step 2 --learning-rate 0.3 --seed 1 -o waves.safetensors
"$accrete" export waves.safetensors --c waves.h
"$accrete" data make waveform --rows 5000 --seed 3 -o "$scratch/new.csv"
"$accrete" evaluate waves.safetensors "$scratch/new.csv" --units 8,20,40
