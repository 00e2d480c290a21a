#pragma once
// Second stage of a fit: splits the rows into training rows and validation set, and is the only code that separates the
// validation set.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// 0 .. n-1
std::vector<std::size_t> all_rows(std::size_t n);

/// The listed rows (all if the list is empty) of positive weight. Throws DataError if there are none.
std::vector<std::size_t> rows_to_fit(const data::Table& table, std::span<const double> weights,
                                     std::span<const std::size_t> listed);

/// Training rows, and the validation set that the config takes from the rows to fit; both ascend if the rows do. Sets
/// fit.training_rows. Throws DataError as check_target_values does.
data::Split split_rows(const TrainingTable& table, const FitOptions& options, PreparedFit& fit);

/// Target values that were read from a table, and the names of their columns.
struct TableTarget {
  const data::Table& table;
  const core::Matrix<double>& values;
  const std::vector<std::string>& names;
};

/// Throws DataError if a target of the listed rows is invalid for the loss: negative (poisson), or outside 0 to 1
/// (cross_entropy).
void check_target_values(const TableTarget& target, std::span<const std::size_t> rows,
                         const config::ResolvedConfig& config);

}  // namespace accrete::boosting
