#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {
namespace {

constexpr Target all[] = {
    {"csv", "a CSV file", fuzz_csv},
    {"svmlight", "a file of sparse rows", fuzz_svmlight},
    {"columns", "cells of a text column: numbers, dates, identifiers", fuzz_columns},
    {"grid", "the grid of a search, as JSON", fuzz_grid},
    {"config", "parameters and their values", fuzz_config},
    {"model", "a model file", fuzz_model},
    {"c_api", "calls of the C functions", fuzz_c_api},
    {"backend", "a random problem for the CPU backend and the reference", fuzz_backend},
    {"idx", "images and labels in MNIST's format", fuzz_idx},
    {"cifar", "a batch of CIFAR", fuzz_cifar},
#ifdef ACCRETE_HAS_PNG
    {"png", "a PNG file", fuzz_png},
#endif
#ifdef ACCRETE_HAS_SERVE
    {"request", "the body of an inference request", fuzz_request},
#endif
};

}  // namespace

std::span<const Target> targets() {
  return all;
}

}  // namespace accrete::fuzz
