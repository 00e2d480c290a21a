#pragma once
// A fit as plain numbers and device addresses, for host and device code.

#include <cstdint>

#include "accrete/config/learning_rate_schedule.hpp"
#include "accrete/config/step_policy.hpp"
#include "accrete/loss/formula.hpp"

namespace accrete::cuda {

constexpr unsigned warp_lanes = 32;
constexpr unsigned tile_rows = warp_lanes;  ///< one row per lane

/// Encoded rows that fits share; the test rows follow the training rows. Feature f of row r is at x[f * column_stride +
/// r + r / tile_rows * tile_rows * tile_skip]. With tile_skip 0 the matrix is column-major; otherwise it is stored tile
/// by tile, column-major within a tile. If features are drawn in groups, the matrix has one more feature, number
/// feature_count, which is zero.
struct DeviceRows {
  const float* x;
  const float* quads;    ///< x with four features interleaved: f of r is quads[4 * (f / 4 * row_stride + r) + f % 4]
  const float* targets;  ///< target t of training row r is targets[t * train_rows + r]
  const float* weights;  ///< of the training rows, mean 1
  const unsigned* group_starts;  ///< first feature of each group, then feature_count; null: one feature per group
  unsigned train_rows, test_rows, row_stride, feature_count, target_count;
  unsigned group_count;
  unsigned column_stride, tile_skip;
  bool equal_weights;
  double row_weight;
};

enum class Objective : unsigned { residual, direct, projected };

/// Output of a single fit, per step of a launch. Null pointers if only test scores are needed.
struct StepResults {
  double* parameters;  ///< in BlockShape order
  double* scales;      ///< per output: Newton step times learning rate
  unsigned* features;
  double* losses;         ///< training loss after the step
  unsigned* evaluations;  ///< total of all steps so far
};

/// Steps first_step .. end_step - 1 of a fit. If first_step > 0, the memory holds the scores of an earlier launch.
struct FitPlan {
  unsigned dataset;  ///< index into the launch's DeviceRows
  unsigned first_step, end_step;
  unsigned units, outputs;            ///< units: per step
  unsigned drawn_rows, drawn_groups;  ///< training rows and groups of features per step
  unsigned width;                     ///< features per step; steps with fewer are padded with the zero feature
  config::StepDescents descents;
  Objective objective;
  bool rescale_residual;
  bool single_pass;  ///< evaluate the projected objective in one pass (single_pass.cuh)
  config::LearningRateSchedule learning_rate;
  double alpha, tolerance, tolerance_floor;
  double init_gain;  ///< of the activation's initial weights
  std::uint64_t seed;
  unsigned loss, activation;  ///< indices into loss::All and activation::All
  bool unit_step;             ///< property of the loss, like residual_scale
  float residual_scale;
  loss::LossSettings loss_settings;
  const double* start;       ///< start score of each output
  const unsigned* prefixes;  ///< steps after which test rows are scored, ascending
  unsigned prefix_count;
  float* scores;       ///< of the test rows: prefix x output x row
  double* train_loss;  ///< at the end of the fit
  StepResults results;
};

/// Number of blocks whose sums are added in the first stage of an all-reduce: about the square root of the number of
/// blocks.
constexpr unsigned reduce_group = 12;

/// Global memory of a fit on all blocks.
struct GridMemory {
  char* fit;           ///< Layout::fit_bytes
  char* blocks;        ///< Layout::block_bytes for each block
  double* partials;    ///< two buffers of max_values for each block, then for each group of blocks
  unsigned* arrivals;  ///< counters: of the groups, then of the blocks in each group
  unsigned max_values;
};

}  // namespace accrete::cuda
