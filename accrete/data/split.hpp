#pragma once
// Rows into parts: validation part and cross-validation folds, stratified by class where there are classes.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accrete::data {

struct Split {
  std::vector<std::size_t> train;  ///< ascending
  std::vector<std::size_t> test;   ///< ascending
};

/// `labels` holds one class index per row, or is empty for plain random parts; `rows` counts the rows.
/// The test part has round(fraction * rows) rows, at least 1 and at most rows - 1, each class in proportion.
Split holdout(std::size_t rows, std::span<const double> labels, double fraction, std::uint64_t seed);

/// Folds of one repeat; each row is in exactly one test part, sizes (per class) differ by at most one.
/// A class with fewer rows than folds is missing from some test parts, and one with a single row from a training part.
/// Throws UsageError unless 2 <= folds <= rows, and DataError when every class has fewer rows than folds.
std::vector<Split> k_folds(std::size_t rows, std::span<const double> labels, std::size_t folds, std::uint64_t seed,
                           std::uint64_t repeat);

}  // namespace accrete::data
