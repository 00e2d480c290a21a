#pragma once
// One input column of a model, as learnt from the training rows. ColumnEncoding turns it into features.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

inline constexpr std::size_t max_bins = 256;  ///< per column

/// The scale of a feature that is constant over the training rows; dividing by it makes any value negligible.
inline constexpr double no_spread = 1e24;

struct Input {
  std::string name;
  Column::Kind kind = Column::Kind::numeric;
  double mean = 0.0;                     ///< numeric: subtracted
  double scale = 1.0;                    ///< numeric: divided by; never 0
  bool gap_flag = false;                 ///< training rows had missing values; adds a 0/1 feature that marks them
  std::vector<std::string> levels = {};  ///< text: one feature each, in this order
  std::vector<double> shares = {};       ///< text: each level's share of the training weight, which sets its scale
  std::vector<float> knots = {};         ///< numeric: boundaries of the bins, ascending; empty: no bins
  std::vector<double> bin_means = {};    ///< of each bin's ramp: subtracted
  std::vector<double> bin_scales = {};   ///< of each bin's ramp: divided by; never 0
  TextFormat format = {};                ///< how text cells are read (apply_formats in recognise.hpp)

  std::size_t bins() const { return knots.empty() ? 0 : knots.size() - 1; }
  bool operator==(const Input&) const = default;
};

/// The targets of rows, for encodings that depend on them.
struct RowTargets {
  const core::Matrix<double>* values = nullptr;  ///< rows of the table x targets; null: unknown
  std::size_t classes = 0;                       ///< 0: numbers; else the first target is a class index
};

/// Rows of a table to learn from, and weights of all rows of the table, positive for the listed rows.
struct WeightedRows {
  std::span<const std::size_t> rows;
  std::span<const double> weights = {};  ///< one per row of the table; empty: all 1
  RowTargets targets = {};

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace accrete::data
