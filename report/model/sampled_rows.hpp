#pragma once
// A sample of the labelled rows, for measurements that would take too long on all rows.

#include <cstddef>
#include <span>
#include <vector>

#include "report/model/labelled_rows.hpp"

namespace accrete::report {

/// The listed rows: the columns that the model reads, targets, weights and offsets.
struct SampledRows {
  SampledRows(const LabelledRows& data, std::span<const std::size_t> rows);

  data::Table table;
  core::Matrix<double> targets;
  std::vector<double> weights, offsets;  ///< as in LabelledRows
};

}  // namespace accrete::report
