#pragma once
// Lookup tables for columns that expand to many features: a category, or a number with bins. For every unit, the
// features of such a column together are one function of the column's code (network/coded_column.hpp), so a row needs
// one table entry per column, and the gradient of all weights follows from one sum per entry. The cost of a row grows
// with the number of columns, not of features.
//
// Columns with few codes share a table of all their combinations, so that one entry serves several columns.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accrete/core/aligned.hpp"
#include "accrete/data/features.hpp"
#include "accrete/network/coded_column.hpp"

namespace accrete::network {

/// The units of a table are padded to a multiple of this number.
inline constexpr std::size_t lookup_units = 4;

/// View of all tables. An entry is `width` values, one per unit. Gradient sums have the same layout.
struct LookupTables {
  std::size_t count = 0;                ///< 0: no tables
  std::size_t width = 0;                ///< units, padded to a multiple of lookup_units
  std::size_t size = 0;                 ///< floats of all tables
  const std::size_t* starts = nullptr;  ///< offset of each table, in floats
  const float* values = nullptr;
};

/// The part of a hidden layer whose features are in lookup tables.
class LookupLayer {
 public:
  LookupLayer() = default;
  LookupLayer(const LookupLayer&) = delete;  // tables_ points into the vectors
  LookupLayer& operator=(const LookupLayer&) = delete;

  /// Splits features into columns with a code and dense features.
  void build(std::span<const data::FeatureSource> features, std::size_t units);

  bool empty() const { return columns_.empty(); }
  /// Indices of the features left to the dense kernels, ascending; excludes sparse features.
  const std::vector<std::size_t>& dense() const { return dense_; }
  const LookupTables& tables() const { return tables_; }

  /// Writes the entries of a tile's rows: tables x tile_rows indices. tile: stored columns.
  void encode_tile(const float* tile, std::size_t tile_rows, std::uint16_t* entries) const;

  /// Computes the tables from the weights of all features, units x features.
  void set_weights(std::span<const double> weights);
  void set_weights(std::span<const float> weights);
  /// Writes the gradient of features in tables into `gradient`, units x features. sums: laid out as the tables.
  void weight_gradient(const double* sums, double* gradient) const;

 private:
  /// Covers columns first .. last - 1 of columns_. A row's entry is c0 + n0 * (c1 + n1 * (c2 + ...)), with code c of n
  /// codes.
  struct Table {
    std::size_t first, last, entries;
  };

  void create_tables();
  template <class Weight>
  void compute_tables(const Weight* weights);
  void add_marginal_sums(const Table& table, const double* sums, std::size_t column, double* marginal) const;

  TableShape shape_ = {};
  std::vector<CodedColumn> columns_;  ///< ascending by number of codes
  std::vector<std::size_t> dense_;
  std::vector<Table> list_;
  std::vector<std::size_t> starts_;
  core::AlignedVector<float> values_, column_values_;
  LookupTables tables_;
};

}  // namespace accrete::network
