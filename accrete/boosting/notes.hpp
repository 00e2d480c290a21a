#pragma once
// Notes for the user about a fit, one clause each.

#include <optional>
#include <span>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/message.hpp"
#include "accrete/data/encoder.hpp"

namespace accrete::boosting {

/// Regression: notes targets that are constant in the training rows, and sets fit.is_constant if all are.
void note_constant_targets(PreparedFit& fit, const core::Matrix<double>& targets,
                           std::span<const std::size_t> training_rows);

/// No setting was better than the constant on held-out rows: the model becomes the constant.
void note_nothing_learnt(PreparedFit& fit);

/// Units beyond the last whole step.
void note_dropped_units(PreparedFit& fit);

/// Numeric inputs that vary too little, relative to their size, for single precision.
std::optional<core::Message> note_lost_digits(const data::Encoder& encoder);

/// A training loss that did not fall.
void note_no_descent(FitResult& result);

}  // namespace accrete::boosting
