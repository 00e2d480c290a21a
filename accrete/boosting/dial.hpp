#pragma once
// Finds the thresholds of early exit (model/early_exit.hpp) on rows that the fit did not see. Only the network's own
// predictions are compared, so the rows need no targets.
//
// A quarter of the rows, the learning rows, chooses the exits and the shape of the thresholds: one number per exit,
// from how much predictions still change after it. The other rows test how far these can be lowered together, by one
// factor, until the promise fails (risk_control.hpp). Nothing else is chosen on the rows that test.

#include <cstdint>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

struct DialOptions {
  double disagreement = 0.001;  ///< promised: at most this share of the rows gets another prediction
  double confidence = 0.95;
  double tolerance = 0.0;  ///< regression: what counts as another prediction, in units of the target; 0: a tenth of the
                           ///< standard deviation of the network's predictions
  std::uint64_t seed = 0;  ///< of the draw of the learning rows
};

/// Throws UsageError for options out of range and for a model that has no dial, DataError for too few rows.
model::EarlyExit find_exits(const model::Model& model, const data::Table& table, const DialOptions& options,
                            core::Workers& workers);

/// The rows, learning rows included, that the promise needs.
std::size_t min_dial_rows(const DialOptions& options);

}  // namespace accrete::boosting
