#pragma once
// The one-column functions whose sum is an additive model.

#include <string>
#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

/// The contribution of a column to the score, in the target's units for links that preserve them. Its mean over the
/// rows is 0.
struct ColumnShape {
  std::string column;
  std::vector<double> x = {};            ///< numbers, ascending; empty for a category
  std::vector<std::string> levels = {};  ///< of a category
  std::vector<double> effect = {};       ///< one per number or level
  double deviation = 0.0;                ///< standard deviation of the effect over the rows
};

/// One per input, largest deviation first. Empty if a unit reads several columns or the network has several outputs.
std::vector<ColumnShape> column_shapes(const LabelledRows& data, core::Workers& workers);

}  // namespace accrete::report
