#pragma once
// Splits rows into held-out rows and cross-validation folds, stratified by class for classification.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accrete::data {

struct Split {
  std::vector<std::size_t> train;  ///< ascending
  std::vector<std::size_t> test;   ///< ascending
};

/// Replaces each index i of both parts by rows[i]: a split of the listed rows from one of 0 .. rows.size() - 1.
void map_to_rows(Split& split, std::span<const std::size_t> rows);

/// Holds out round(fraction * rows) rows as `test`, at least 1 and at most rows - 1. labels: one class index per row to
/// stratify by, or empty. Throws UsageError unless 0 < fraction < 1 and rows >= 2.
Split holdout(std::size_t rows, std::span<const double> labels, double fraction, std::uint64_t seed);

/// The folds of one repetition: each row is a test row of exactly one fold; fold sizes, overall and per class, differ
/// by at most one. A class with fewer rows than folds is missing from some test sets, and a class with a single row
/// from one training set. Throws UsageError unless 2 <= folds <= rows, and DataError if every class has fewer rows than
/// folds.
std::vector<Split> k_folds(std::size_t rows, std::span<const double> labels, std::size_t folds, std::uint64_t seed,
                           std::uint64_t repeat);

}  // namespace accrete::data
