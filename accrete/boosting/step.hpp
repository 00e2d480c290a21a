#pragma once
// What a step minimises, as a policy: each is one file with one function from the rows as they stand to a new block.
//
//   residual    squared error to the pseudo-residuals, then a Newton step per output      the paper
//   direct      the loss itself around the current scores                                 the default for classes
//   projected   squared error to the residuals, the output layer solved for every hidden layer    ... for regression
//
// A block leaves its policy with its step size applied; the loop only multiplies by the learning rate.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/config.hpp"
#include "accrete/boosting/rate.hpp"
#include "accrete/core/named_list.hpp"
#include "accrete/network/block.hpp"

namespace accrete::boosting {

/// Writes the start values of a block's parameters (BlockShape order) for a step. Tests bring their own.
using InitialWeights = std::function<void(std::size_t step, const backend::BlockShape&, std::span<double>)>;

/// Everything a policy may use.
struct StepContext {
  backend::Rows& rows;
  const Config& config;
  const loss::Loss& loss;
  std::size_t row_count;
  std::size_t outputs;
  const InitialWeights& initial;
  std::size_t step = 0;
  std::vector<std::size_t> drawn_rows;  ///< empty: all
  std::vector<std::size_t> drawn_features;
  std::vector<double> workspace;  ///< kept from step to step
  double start_loss = 0.0;        ///< mean over all rows before the first step

  double rate() const { return Rate{config.learning_rate, config.first_rate}.of_step(step); }
  backend::BlockShape shape() const { return {drawn_features.size(), config.units_per_step, outputs}; }
};

struct ResidualStep {
  static constexpr const char* name = "residual";
  static constexpr const char* summary = "squared error to the residuals, then a Newton step per output: the paper";
  static network::Block fit(StepContext& context);
};

struct DirectStep {
  static constexpr const char* name = "direct";
  static constexpr const char* summary = "the loss itself around the current scores: the default for classes";
  static network::Block fit(StepContext& context);
};

struct ProjectedStep {
  static constexpr const char* name = "projected";
  static constexpr const char* summary =
      "squared error with the output layer solved exactly: the default for regression";
  static network::Block fit(StepContext& context);
};

using steps = core::NamedTypes<ResidualStep, DirectStep, ProjectedStep>;

/// Uniform in +-sqrt(gain / (fan_in + fan_out)), weights and biases alike, from (seed, step).
InitialWeights uniform_weights(const Config& config);

/// floor(subsample * rows) as written in decimals; 0 when the share is under one row.
std::size_t rows_of_a_step(const Config& config, std::size_t rows);

/// feature_fraction of the features, rounded; four at least, as far as there are so many. A network of which each step
/// sees one column is a sum of functions of one column, whatever the data say.
inline constexpr std::size_t least_features_of_a_step = 4;
std::size_t features_of_a_step(const Config& config, std::size_t features);

/// Draws the step's rows and features into the context, from (seed, step).
void draw(StepContext& context, std::size_t features);

/// Minimises the objective `fit` over the drawn rows and features; returns the parameters, of which a projected fit
/// fills the output layer from the solved one.
std::vector<double> minimise(StepContext& context, backend::Fit fit);

/// The parameters as a block, its output layer multiplied by scale[k] per output.
network::Block make_block(const StepContext& context, std::span<const double> parameters,
                          std::span<const double> scale);

}  // namespace accrete::boosting
