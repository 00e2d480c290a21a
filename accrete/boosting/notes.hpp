#pragma once
// Notes for the user about a fit, one clause each.

#include <optional>
#include <span>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/message.hpp"
#include "accrete/data/encoder.hpp"

namespace accrete::boosting {

/// Regression: notes targets that are constant in the training rows; sets fit.is_constant if all of them are.
void note_constant_targets(PreparedFit& fit, const core::Matrix<double>& targets,
                           std::span<const std::size_t> training_rows);

/// Notes that no setting beat the constant on the held-out rows, and makes the model that constant.
void note_nothing_learnt(PreparedFit& fit);

/// Notes that a model was grown on other rows than it was fitted to. was_calibrated: its fit held out rows.
void note_other_rows(PreparedFit& fit, bool was_calibrated);

/// Notes that the smallest validation loss or metric is that of the start score.
void note_no_units_kept(FitResult& result);

/// Notes units that were dropped because they do not fill a whole step.
void note_dropped_units(PreparedFit& fit);

/// Notes numeric inputs that vary too little, relative to their magnitude, for single precision. table: the columns
/// that the encoder was fitted to.
std::optional<core::Message> note_lost_digits(const data::Encoder& encoder, const data::Table& table);

/// Notes a training loss that did not fall. given: the parameters that the caller set.
void note_no_descent(FitResult& result, const config::Config& given);

}  // namespace accrete::boosting
