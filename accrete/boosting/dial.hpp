#pragma once
// Finds the thresholds of early exit (model/early_exit.hpp) on rows that the fit did not use. Only the network's own
// predictions are compared, so the rows need no targets.
//
// A quarter of the rows, but at most 5,000, are the learning rows. They choose the exits and the relative thresholds:
// one number per exit, from how much predictions still change after it. The other rows, the test rows, determine how
// far one common factor can lower all thresholds before the guarantee fails (risk_control.hpp). Nothing else is chosen
// on the test rows.

#include <cstdint>

#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

struct DialOptions {
  double disagreement = 0.001;  ///< guaranteed maximum share of rows with a different prediction
  double confidence = 0.95;
  double tolerance = 0.0;  ///< regression: a change of the prediction that counts, in the target's units; 0: a tenth of
                           ///< the standard deviation of the network's predictions
  std::uint64_t seed = 0;  ///< of the draw of the learning rows
};

/// Throws UsageError for options out of range and for a model without a dial, DataError for too few rows.
model::EarlyExit find_exits(const model::Model& model, const data::Table& table, const DialOptions& options,
                            core::Workers& workers);

/// The number of rows, learning rows included, that the guarantee requires.
std::size_t min_dial_rows(const DialOptions& options);

}  // namespace accrete::boosting
