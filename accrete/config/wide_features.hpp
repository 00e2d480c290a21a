#pragma once
// Defaults of a boosted head for the features of a deep network, which are many, dense and redundant (docs/deep.md).
// Steps of few units with a light penalty, which suit tables, overfit them.

#include <cstddef>
#include <span>
#include <string_view>

#include "accrete/config/config.hpp"

namespace accrete::config {

struct FeatureShape {
  std::size_t rows, features, classes;  ///< classes: 0 for regression
};

/// The L2 penalty for this number of rows, features and classes (at least two).
double wide_feature_alpha(const FeatureShape& shape);

/// `given`, with steps, activation, feature fraction, learning rate and penalty set where they are not given. Unchanged
/// for regression, for fewer than 64 features, and if another solver, the automatic choice or a preset is given, whose
/// own rules then hold. Steps have at most given.units units.
Config for_wide_features(const Config& given, std::string_view preset, const FeatureShape& shape);

/// Whether a fit with these losses (of the training rows, from the constant on) learned anything, that is, lowered its
/// loss by more than 3 %. If not, its penalty is too large for what the features explain.
bool has_learned(std::span<const double> train_loss);

/// The number of fits, each with half the penalty of the one before, until one learns.
inline constexpr int max_penalty_fits = 8;

}  // namespace accrete::config
