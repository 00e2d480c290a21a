#pragma once
// An input column whose features are all functions of one code: the level of a category, or the position of a binned
// number on its grid (data/encoder/number_grid.hpp). The column's contribution to a unit's weighted sum is then a table
// with one value per code:
//
//   table[code] = sum_f weight_f * feature_f(code)

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "accrete/data/features.hpp"
#include "accrete/network/kernels/coded_column_kernel.hpp"

namespace accrete::network {

class CodedColumn {
 public:
  /// The computed features of one stored column, starting at index `first` of the block. Unset if they are not
  /// functions of a code, or if the block has only some of the column's features.
  static std::optional<CodedColumn> make(std::span<const data::FeatureSource> features, std::size_t first);

  std::size_t codes() const { return known_ + 2; }
  /// Codes of a tile's rows. The last two codes are an unseen level and a missing value.
  void encode(const float* tile, std::size_t tile_rows, std::uint16_t* codes) const;

  void tabulate(const TableShape& shape, const float* weights, float* table) const;
  void tabulate(const TableShape& shape, const double* weights, float* table) const;
  /// Converts derivatives with respect to the table's values to derivatives with respect to the weights.
  void weight_gradient(const TableShape& shape, const double* sums, double* gradient) const;

 private:
  CodedFeatures features() const;

  std::size_t stored_column_ = 0, first_ = 0;
  std::size_t known_ = 0;           ///< levels, or positions on the grid
  std::vector<data::Ramp> levels_;  ///< categories: one per level
  std::vector<data::Ramp> ramps_;   ///< numbers: in grid positions
  std::vector<double> numbers_;     ///< numbers: value of grid_number at each position; empty if absent
  bool has_gap_flag_ = false;
};

}  // namespace accrete::network
