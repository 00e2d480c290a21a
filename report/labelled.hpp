#pragma once
// Rows whose target is known, as everything in a report is measured on them.

#include <cstddef>
#include <functional>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/metric/case.hpp"
#include "accrete/model/model.hpp"

namespace accrete::report {

struct Labelled {
  const model::Model& model;
  const data::Table& table;
  core::Matrix<double> targets;  ///< as data::read_target_as gives them
  std::vector<double> weights;   ///< one per row, or empty: all 1

  metric::Case with(core::MatrixView<const double> predictions) const { return {predictions, targets, weights}; }
};

/// Work that takes a while: told how much is done, of how much; false ends it.
using Progress = std::function<bool(std::size_t, std::size_t)>;

}  // namespace accrete::report
