#!/bin/sh
# Trains the example's model and writes its header.
# usage: make.sh ACCRETE, the command built by ./dev build: build/release/accrete.
#
# The header is a deterministic function of waves.safetensors. The model is deterministic on one kind of processor; on
# another its last digits may differ.
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
