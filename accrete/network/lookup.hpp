#pragma once
// Lookup tables for columns that expand to many features: a category, or a number with bins. For every unit the
// features of such a column together are one function of the column's value. A row needs only its entry in the table:
//
//   category   sum_l w_l level_l(x)  =  base[code]
//   bins       sum_m w_m ramp_m(x)   =  base[code] + rise * weight[code]
//
// Ramps below the value's bin are at their high end, ramps above at their low end, and one lies between, at `rise`
// above its low end. The gradient by all weights follows from one or two sums per entry. The cost of a row grows with
// the number of columns, not of features. Columns with few features are left to the dense kernels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"

namespace accrete::network {

/// Copies of the gradient sums. Consecutive rows add to different copies, since rows of the same entry would wait for
/// each other's store.
inline constexpr std::size_t lookup_sum_copies = 2;

/// Units in a table are padded to a multiple of this; also the units of one vector.
inline constexpr std::size_t lookup_units = 4;

/// One column's table. An entry is `width` bases, one per unit, and with interpolation as many ramp weights.
struct LookupColumn {
  std::size_t start;  ///< of its values, in floats
  bool interpolated;
};

/// View of the tables of all columns. Gradient sums have the same layout.
struct LookupTables {
  std::size_t columns = 0;  ///< 0: no tables
  std::size_t width = 0;    ///< units, padded to a multiple of lookup_units
  std::size_t size = 0;     ///< floats of all tables
  const LookupColumn* layout = nullptr;
  const float* values = nullptr;
};

/// The rows of a tile as positions in the tables: columns x tile_rows each.
struct LookupRows {
  const std::uint16_t* codes = nullptr;  ///< entry within the column's table
  const float* rises = nullptr;          ///< (x - knot) * slope of the ramp, clamped to [0, high - low]
};

/// The part of a hidden layer whose features are in lookup tables.
class LookupLayer {
 public:
  LookupLayer() = default;
  LookupLayer(const LookupLayer&) = delete;  // tables_ refers to the vectors
  LookupLayer& operator=(const LookupLayer&) = delete;

  /// Splits features into columns with a lookup table and dense features.
  void build(std::span<const data::FeatureSource> features, std::size_t units);

  bool empty() const { return columns_.empty(); }
  std::size_t features() const { return features_; }  ///< dense and in tables
  /// Indices among the features of those left to the dense kernels, ascending.
  const std::vector<std::size_t>& dense() const { return dense_; }
  const LookupTables& tables() const { return tables_; }

  /// Writes the positions of a tile's rows: columns x tile_rows codes and rises. tile: stored columns.
  void encode_tile(const float* tile, std::size_t tile_rows, std::uint16_t* codes, float* rises) const;

  /// Computes the tables from the weights of all features, units x features.
  void set_weights(std::span<const double> weights);
  void set_weights(std::span<const float> weights);
  /// Writes the derivatives by the weights of features in tables into gradient, units x features. sums: laid out as the
  /// tables.
  void weight_gradient(const double* sums, double* gradient) const;

 private:
  struct TableColumn {
    std::size_t stored_column;
    data::FeatureKind kind;
    std::size_t first_feature;      ///< its features are contiguous among those of the block
    std::vector<data::Ramp> ramps;  ///< ramps: ascending, not overlapping; levels: in order
    std::vector<float> knots;       ///< of the ramps

    std::size_t entries() const;
  };

  void create_tables(std::vector<TableColumn>& candidates);
  template <class Weight>
  void compute_tables(std::span<const Weight> weights);
  void level_gradient(const TableColumn& column, const double* sums, double* gradient) const;
  void ramp_gradient(const TableColumn& column, const double* sums, double* gradient) const;

  std::size_t features_ = 0, units_ = 0;
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> dense_;
  std::vector<LookupColumn> layout_;
  core::AlignedVector<float> values_;
  LookupTables tables_;
};

}  // namespace accrete::network
