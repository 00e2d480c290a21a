#pragma once
// Lookup tables for binned columns. For every unit, all ramps of a column together are one piecewise-linear function of
// the column's value: ramps below the value's bin are at their high end, ramps above at their low end, and one lies
// between. A row therefore needs only the table entry of its bin (code) and its position on that ramp (rise):
//
//   sum_m w_m ramp_m(x)  =  base[code] + rise * weight[code]
//
// The gradient by all w_m follows from two sums per entry. Columns with few ramps are left to the dense kernels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Units in a table are padded to a multiple of this; also the units of one vector.
inline constexpr std::size_t lookup_units = 4;

/// View of the tables of all columns. An entry is `width` bases, one per unit, then `width` ramp weights. Gradient sums
/// have the same layout.
struct LookupTables {
  std::size_t columns = 0;                ///< 0: no tables
  std::size_t width = 0;                  ///< units, padded to a multiple of lookup_units
  std::size_t entries = 0;                ///< of all columns together
  const std::uint32_t* starts = nullptr;  ///< columns: first entry of each
  const float* values = nullptr;          ///< entries x 2 x width

  std::size_t size() const { return entries * 2 * width; }
};

/// The rows of a tile as positions in the tables: columns x tile_rows each.
struct LookupRows {
  const std::uint16_t* codes = nullptr;  ///< entry within the column's table
  const float* rises = nullptr;          ///< (x - knot) * slope of the ramp, clamped to [0, high - low]
};

/// The part of a hidden layer whose features are in lookup tables.
class LookupLayer {
 public:
  /// Splits the features of a step into columns with a lookup table and dense features, and encodes all rows of x.
  void build(const data::Features& x, std::span<const data::FeatureSource> features, std::size_t units,
             core::Workers& workers);

  bool empty() const { return columns_.empty(); }
  std::size_t features() const { return features_; }  ///< of the step, dense and in tables
  /// Indices among the step's features of those left to the dense kernels, ascending.
  const std::vector<std::size_t>& dense() const { return dense_; }
  const LookupTables& tables() const { return tables_; }
  LookupRows rows(std::size_t tile) const;

  /// Computes the tables from the weights of all features, units x features.
  void set_weights(std::span<const double> weights);
  /// Writes the derivatives by the weights of features in tables into gradient, units x features. sums: laid out as the
  /// tables.
  void weight_gradient(const float* sums, double* gradient) const;

 private:
  struct BinnedColumn {
    std::size_t stored_column;
    std::vector<std::size_t> feature_indices;  ///< of its ramps, among the step's features
    std::vector<data::Ramp> ramps;             ///< ascending, not overlapping
  };

  void create_tables(std::vector<BinnedColumn>& candidates);
  void encode_tile(const data::Features& x, std::size_t tile);

  std::size_t features_ = 0, units_ = 0, tile_rows_ = 0;
  std::vector<BinnedColumn> columns_;
  std::vector<std::size_t> dense_;
  std::vector<std::uint32_t> starts_;
  core::AlignedVector<float> values_;
  std::vector<std::uint16_t> codes_;
  std::vector<float> rises_;
  LookupTables tables_;
};

}  // namespace accrete::backend
