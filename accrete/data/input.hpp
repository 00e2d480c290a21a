#pragma once
// One input column of a model: what the encoder learnt from the training rows. ColumnEncoding turns it into features.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

inline constexpr std::size_t max_bins = 256;  ///< per column

/// The scale of a feature that is constant over the training rows: any value divided by it becomes negligible.
inline constexpr double no_spread = 1e24;

struct Input {
  std::string name;
  Column::Kind kind = Column::Kind::numeric;
  double mean = 0.0;                     ///< numeric: subtracted
  double scale = 1.0;                    ///< numeric: divided by; never 0
  bool gap_flag = false;                 ///< the training rows had missing values: one more feature tells where
  std::vector<std::string> levels = {};  ///< text: one feature each, in this order
  std::vector<double> shares = {};       ///< text: each level's share of the weight of the training rows, in [0, 1]
  std::vector<float> knots = {};         ///< numeric: boundaries of the bins, ascending; empty: no bins
  std::vector<double> bin_means = {};    ///< of each bin's ramp: subtracted
  std::vector<double> bin_scales = {};   ///< of each bin's ramp: divided by; never 0

  std::size_t bins() const { return knots.empty() ? 0 : knots.size() - 1; }
  bool operator==(const Input&) const = default;
};

/// Rows of a table to learn from, with the weight of every row of the table; the weights of the listed rows are
/// positive.
struct WeightedRows {
  std::span<const std::size_t> rows;
  std::span<const double> weights = {};  ///< one per row of the table; empty: all 1

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace accrete::data
