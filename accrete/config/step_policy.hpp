#pragma once
// Rules of a boosting step that all devices share: solver limits, initial weights, rounding. The step length is in
// newton.hpp, the draw of rows and features in draw_size.hpp, the learning rate in learning_rate_schedule.hpp.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "accrete/config/config.hpp"
#include "accrete/core/inline.hpp"
#include "accrete/core/random.hpp"

namespace accrete::config {

/// A descent (one solver run) ends after `iterations`, or when iterations gain less than this share of the gain so far.
struct DescentLimits {
  std::size_t iterations = 0;
  double gain_tolerance = 0.0;
};

/// The descents of a step in order: over both layers on the squared error, then on the step's objective.
struct StepDescents {
  DescentLimits joint, main;
};

/// joint: a projected step starts with joint_iter iterations over both layers, without a gain tolerance because they
/// may gain little at first.
inline StepDescents step_descents(const ResolvedConfig& config, bool joint) {
  const std::size_t joint_iterations = joint ? std::min(config.joint_iter, config.max_iter) : 0;
  return {{joint_iterations, 0.0}, {config.max_iter - joint_iterations, config.gain_tolerance}};
}

/// Relative rounding error of a mean over rows that are rounded to float independently.
ACCRETE_HOST_DEVICE inline double float_noise(std::size_t rows) {
  return 6e-8 / std::sqrt(static_cast<double>(rows));
}

/// Uniform in +-sqrt(gain / (fan_in + fan_out)) for weights and biases alike, seeded by (seed, step). Shape is
/// backend::BlockShape; `to` has shape.size() elements.
template <class Shape>
ACCRETE_HOST_DEVICE void draw_uniform_weights(std::uint64_t seed, std::size_t step, double gain, const Shape& shape,
                                              double* to) {
  core::Rng rng(seed, step, core::Purpose::weights);
  const double hidden = std::sqrt(gain / static_cast<double>(shape.features + shape.units));
  const double output = std::sqrt(gain / static_cast<double>(shape.units + shape.outputs));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double bound = i < shape.hidden_size() ? hidden : output;
    to[i] = rng.uniform(-bound, bound);
  }
}

}  // namespace accrete::config
