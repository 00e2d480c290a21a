#pragma once
// One step: a function per objective fits a new block at the current scores.
//
//   residual    squared error to the residuals, then a Newton step per output          the paper
//   direct      the loss itself around the current scores                              default for classes
//   projected   squared error to the residuals with the output layer solved exactly    default for regression
//
// The returned block is already scaled by its step size; the caller only multiplies by the learning rate.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/step/step_bounds.hpp"
#include "accrete/config/config.hpp"
#include "accrete/config/learning_rate_schedule.hpp"
#include "accrete/config/objective.hpp"
#include "accrete/network/block.hpp"

namespace accrete::boosting {

/// Writes the initial parameters of a step, in BlockShape order. Tests substitute their own.
using InitialWeights = std::function<void(std::size_t step, const backend::BlockShape&, std::span<double>)>;

/// The inputs and scratch of the objectives.
struct StepContext {
  backend::TrainingRows& rows;
  const config::ResolvedConfig& config;
  const loss::Loss& loss;
  std::size_t row_count;
  std::size_t outputs;
  const InitialWeights& initial;
  std::size_t step = 0;
  const FeatureConstraints* constraints = nullptr;  ///< null: none
  std::vector<std::size_t> drawn_rows = {};         ///< empty: all
  StepDraw drawn = {};
  StepBounds bounds = {};
  std::vector<double> workspace = {};         ///< reused by all steps
  double start_loss = 0.0;                    ///< mean over all rows before the first step
  std::function<bool()> is_out_of_time = {};  ///< empty: never

  double rate() const { return config::LearningRateSchedule{config.learning_rate, config.first_rate}.at(step); }
  bool is_monotone() const { return constraints && constraints->is_monotone(); }
  bool may_continue() const { return !is_out_of_time || !is_out_of_time(); }
  backend::BlockShape shape() const { return {drawn.features.size(), config.units_per_step, outputs}; }
};

/// One overload per objective. Returns the new block, scaled by its step size.
network::Block fit_step(config::ResidualObjective, StepContext& context);
network::Block fit_step(config::DirectObjective, StepContext& context);
network::Block fit_step(config::ProjectedObjective, StepContext& context);

/// Uniform in +-sqrt(gain / (fan_in + fan_out)) for weights and biases alike, seeded by (seed, step).
InitialWeights uniform_weights(const config::ResolvedConfig& config);

/// Draws the step's rows and features from (seed, step) into the context and sets its bounds.
void draw(StepContext& context, const data::Features& features);

/// Minimises the objective over the drawn rows and features; returns the parameters. For a projected objective they
/// include the solved output layer.
std::vector<double> minimise(StepContext& context, backend::StepObjective objective);

/// The parameters as a block, with the output layer multiplied by scale[k] per output.
network::Block make_block(const StepContext& context, std::span<const double> parameters,
                          std::span<const double> scale);

}  // namespace accrete::boosting
