#pragma once
// How one column becomes features, as learnt from the training rows and kept in the model.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/data/table.hpp"

namespace accrete::data {

/// A numeric column is cut at quantiles into this many bins at most.
inline constexpr std::size_t most_bins = 256;

/// How one input column is encoded.
struct Input {
  std::string name;
  Column::Kind kind = Column::Kind::numeric;
  double mean = 0.0;                     ///< numeric: subtracted
  double scale = 1.0;                    ///< numeric: divided by; never 0
  bool indicator = false;                ///< a last feature that is 1 where the value is missing
  std::vector<std::string> levels = {};  ///< text: one feature each, in this order
  std::vector<double> shares = {};       ///< text: each level's share of the weight of the training rows, in [0, 1]
  std::vector<float> knots = {};         ///< numeric: ends of the bins, ascending, three at least; empty: no bins
  std::vector<double> bin_means = {};    ///< of each bin's feature: subtracted
  std::vector<double> bin_scales = {};   ///< of each bin's feature: divided by; never 0

  std::size_t bins() const { return knots.empty() ? 0 : knots.size() - 1; }
  std::size_t width() const {
    return (kind == Column::Kind::numeric ? 1 + bins() : levels.size()) + (indicator ? 1 : 0);
  }
  bool operator==(const Input&) const = default;
};

/// Rows of a table to learn from, and what each row of the table weighs: above 0 for those listed.
struct WeightedRows {
  std::span<const std::size_t> rows;
  std::span<const double> weights = {};  ///< one per row of the table; empty: all 1

  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace accrete::data
