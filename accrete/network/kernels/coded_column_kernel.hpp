#pragma once
// The tables of coded columns from their weights, and the gradient of the weights from the sums of table entries.
// Compiled once per instruction set: a vector holds units, which are contiguous in an entry.

#include <cstddef>
#include <span>

#include "accrete/data/encoder/ramps.hpp"

namespace accrete::network {

/// Tables and their sums are codes x width; units beyond `units` are padding.
struct TableShape {
  std::size_t units, width;
  std::size_t features;  ///< of the block: weights and gradients are units x features
};

/// A column of known() codes and two more, for unseen and missing values: a category with a feature per level, or a
/// number whose codes are the positions on its grid (data/encoder/number_grid.hpp).
struct CodedFeatures {
  std::size_t first;                   ///< feature of the block
  std::span<const data::Ramp> levels;  ///< empty: a number
  std::span<const data::Ramp> ramps;   ///< of positions
  std::span<const double> numbers;     ///< the feature grid_number at each position; empty if there is none
  bool has_gap_flag;                   ///< the last feature

  std::size_t known() const { return levels.empty() ? 2 * ramps.size() + 1 : levels.size(); }
};

/// Computes the values of all codes. weights: of all features of the block.
void tabulate_column(const CodedFeatures& column, const TableShape& shape, const float* weights, float* table);
void tabulate_column(const CodedFeatures& column, const TableShape& shape, const double* weights, float* table);

/// Writes the derivatives with respect to the column's weights, given those with respect to the table's values.
void column_gradient(const CodedFeatures& column, const TableShape& shape, const double* sums, double* gradient);

}  // namespace accrete::network
