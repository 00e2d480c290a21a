#include "accrete/config/wide_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace accrete::config {
namespace {

// Tuned on training rows of CIFAR-10 and of two text data sets (docs/deep.md), 100 to 40,000 of them.
constexpr std::size_t min_wide = 64;     ///< fewer features are like table columns, which the presets are made for
constexpr double full_width = 256.0;     ///< number of features from which the penalty has its full weight
constexpr std::size_t many_rows = 4000;  ///< from here on a step can afford more weights
constexpr double max_penalty = 1100.0;
constexpr double max_penalty_per_row = 1.9;  ///< above this no weight is worth its penalty: the head stays constant
constexpr double min_share = 0.25;           ///< of the largest penalty; remains with many rows

template <class Value>
void set_default(std::optional<Value>& field, const Value& value) {
  if (!field) field = value;
}

bool has_own_rules(const Config& given, std::string_view preset) {
  return given.automatic.value_or(false) || preset != "default" || given.solver.value_or("lbfgs") != "lbfgs";
}

}  // namespace

/// The penalty on the squared weights is balanced against the loss summed over the rows, whose curvature is p (1 - p)
/// per row and class.
double wide_feature_alpha(const FeatureShape& shape) {
  const double rows = static_cast<double>(shape.rows), classes = static_cast<double>(shape.classes);
  const double curvature = (1.0 - 1.0 / classes) / classes;
  const double width = std::min(1.0, std::pow(static_cast<double>(shape.features) / full_width, 2));
  const double largest = std::min(max_penalty * curvature, max_penalty_per_row * rows * std::sqrt(curvature));
  const double share = std::max(min_share, std::min(1.0, static_cast<double>(many_rows) / rows));
  return std::stod(fmt::format("{:.3g}", largest * share * width));
}

Config for_wide_features(const Config& given, std::string_view preset, const FeatureShape& shape) {
  if (shape.classes == 0 || shape.features < min_wide || has_own_rules(given, preset)) return given;
  Config config = given;
  const bool few = shape.rows < many_rows;
  set_default<std::uint64_t>(config.units_per_step, std::min<std::uint64_t>(few ? 20 : 50, given.units.value_or(50)));
  set_default<std::string>(config.activation, few ? "tanh" : "relu");
  set_default(config.feature_fraction, few ? 1.0 : 0.5);
  if (!few) set_default(config.learning_rate, 0.2);  // with few rows, the preset's rate, which starts higher
  set_default(config.alpha, wide_feature_alpha({shape.rows, shape.features, std::max<std::size_t>(2, shape.classes)}));
  return config;
}

bool has_learned(std::span<const double> train_loss) {
  return train_loss.size() < 2 || train_loss.back() < 0.97 * train_loss.front();
}

}  // namespace accrete::config
