#pragma once
// What a device is told of a fit, in plain numbers and addresses of its memory: shared by host and device.

#include <cstdint>

#include "accrete/boosting/rate.hpp"
#include "accrete/loss/formula.hpp"

namespace accrete::cuda {

constexpr unsigned tile_rows = 32;

/// Encoded rows that many fits share; the test rows follow the training rows. Feature f of row r is
/// x[f * column + r + r / tile_rows * tile_rows * spread]: feature after feature, where spread is 0 and column the
/// stride, or tile after tile of rows, feature after feature in a tile, where all of a tile lies together.
struct DeviceRows {
  const float* x;
  const float* quads;    ///< the same with features 4q to 4q + 3 side by side, at quads[4 * (q * stride + r)]; or null
  const float* targets;  ///< target t of training row r is targets[t * train + r]
  const float* weights;  ///< of the training rows, mean 1
  unsigned train, test, stride, features, targets_count;
  unsigned column, spread;
  bool even;  ///< all weights are the same
  double row_weight;
};

enum class Objective : unsigned { residual, direct, projected };

/// Where the steps of a fit go that is to come back as a network: step by step, null where it is not.
struct Grown {
  double* parameters;  ///< as backend::BlockShape has them
  double* scales;      ///< of each output: step size and learning rate
  unsigned* features;
  double* losses;         ///< of the training rows, after the step
  unsigned* evaluations;  ///< of all steps so far
};

/// One whole fit, or some steps of it: then the scores are those that an earlier part has left behind.
struct FitPlan {
  unsigned rows;                          ///< which DeviceRows
  unsigned first, steps;                  ///< steps that are done already; steps to have at the end
  unsigned units, outputs;                ///< units: of a step
  unsigned drawn, width;                  ///< training rows and features of a step
  unsigned joint_iterations, iterations;  ///< of the joint part, and of all
  Objective objective;
  bool rescale;
  boosting::Rate rate;
  double alpha, tolerance, floor, gain_tolerance;
  double gain;  ///< of the activation's initial weights
  std::uint64_t seed;
  unsigned loss, activation;  ///< places in loss::All and activation::All
  bool unit_step;             ///< of the loss, as is the next
  float residual_scale;
  loss::Settings settings;
  const double* start;       ///< scores before the first step, one per output
  const unsigned* prefixes;  ///< steps after which test rows are scored, ascending
  unsigned prefix_count;
  float* scores;       ///< prefix by prefix, output by output, test row by test row
  double* train_loss;  ///< at the end
  Grown grown;
};

constexpr unsigned blocks_of_a_group = 12;  ///< about the square root of the blocks: sums are added up in two turns

/// What a fit by all blocks has in global memory.
struct OneMemory {
  char* fit;           ///< Layout::global_bytes
  char* own;           ///< Layout::own_bytes for each block
  double* parts;       ///< sums on their way: twice most_parts for each block, then for each group of blocks
  unsigned* arrivals;  ///< of groups, then of blocks at their group
  unsigned most_parts;
};

}  // namespace accrete::cuda
