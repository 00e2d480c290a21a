#pragma once
// What a device is told of a fit, in plain numbers and addresses of its memory: shared by host and device.

#include <cstdint>

#include "accrete/loss/formula.hpp"

namespace accrete::cuda {

/// Encoded rows that many fits share. Feature f of row r is x[f * stride + r]; the test rows follow the training rows.
struct DeviceRows {
  const float* x;
  const float* targets;  ///< target t of training row r is targets[t * train + r]
  const float* weights;  ///< of the training rows, mean 1
  unsigned train, test, stride, features, targets_count;
  double row_weight;
};

enum class Objective : unsigned { residual, direct, projected };

/// One whole fit.
struct FitPlan {
  unsigned rows;                          ///< which DeviceRows
  unsigned steps, units, outputs;         ///< units: of a step
  unsigned drawn, width;                  ///< training rows and features of a step
  unsigned joint_iterations, iterations;  ///< of the joint part, and of all
  Objective objective;
  bool rescale;
  double rate, alpha, tolerance, floor, gain;  ///< gain: of the activation's initial weights
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
};

}  // namespace accrete::cuda
