#pragma once
// The features of many rows, in the layout that training reads. A feature is a stored column, or is computed from a
// stored column when a tile is read: a ramp from numbers, or a level from a category's codes. That takes the memory of
// one column instead of one per bin or level. Lookup tables (network/lookup.hpp) read the stored column directly.
// Sparse columns have their own block, compressed by row for the forward pass and by column for the gradient.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/tiled.hpp"
#include "accrete/data/encoder/number_grid.hpp"
#include "accrete/data/encoder/ramps.hpp"
#include "accrete/data/sparse.hpp"

namespace accrete::data {

enum class FeatureKind : unsigned char {
  stored,       ///< the column itself
  ramp,         ///< a ramp of the column's numbers
  level,        ///< from codes: ramp.high where the code is ramp.knot, ramp.low elsewhere
  grid_ramp,    ///< a ramp of positions on a grid (number_grid.hpp)
  grid_number,  ///< from positions: (number - ramp.knot) * ramp.slope, 0 where missing
  gap,          ///< 1 where the code or position is missing, 0 elsewhere
  sparse,       ///< a column of the sparse block
};

/// How to obtain the values of a feature.
struct FeatureSource {
  std::size_t column = 0;
  FeatureKind kind = FeatureKind::stored;
  Ramp ramp = {};
  const float* numbers = nullptr;  ///< grid_number: the number at each grid position

  bool is_ramp() const { return kind == FeatureKind::ramp || kind == FeatureKind::grid_ramp; }
  bool is_sparse() const { return kind == FeatureKind::sparse; }
  bool is_computed() const { return kind != FeatureKind::stored && !is_sparse(); }
};

/// The value of a computed feature that is not a ramp.
inline float simple_feature(const FeatureSource& by, float x) {
  if (by.kind == FeatureKind::level) return x == by.ramp.knot ? by.ramp.high : by.ramp.low;
  if (by.kind == FeatureKind::gap) return x != x ? 1.0f : 0.0f;
  return x != x ? 0.0f : (by.numbers[static_cast<std::size_t>(x)] - by.ramp.knot) * by.ramp.slope;
}

/// The features that a kernel reads from a tile; see ramp-inl.hpp.
struct FeatureList {
  const FeatureSource* from;
  std::size_t count, tile_rows;
};

/// The sparse features of all rows.
struct SparseBlock {
  SparseRows by_row;
  SparseRows by_column;  ///< transposed
};

class Features {
 public:
  Features() = default;
  /// Every feature is a stored column.
  Features(core::TiledMatrix stored) : stored_(std::move(stored)), cols_(stored_.cols()) {}
  /// One source per feature. group_starts: the first feature of every input column, if a step draws columns. grids:
  /// backing memory of the sources.
  Features(core::TiledMatrix stored, std::vector<FeatureSource> sources, std::vector<std::size_t> group_starts = {},
           std::shared_ptr<const std::vector<NumberGrid>> grids = {});
  /// Dense features and a sparse block of the same rows. is_sparse: one flag per feature; both parts keep their order.
  Features(Features dense, SparseRows sparse, const std::vector<bool>& is_sparse);

  std::size_t rows() const { return stored_.rows(); }
  std::size_t cols() const { return cols_; }  ///< number of features, stored or computed
  std::size_t tile_rows() const { return stored_.tile_rows(); }
  std::size_t tiles() const { return stored_.tiles(); }

  const core::TiledMatrix& stored() const { return stored_; }
  /// Null: every feature is dense.
  const SparseBlock* sparse() const { return sparse_ ? &*sparse_ : nullptr; }
  /// Numbers read by one pass over all features; sparse columns count their entries only.
  std::size_t numbers() const {
    const std::size_t absent = sparse_ ? sparse_->by_row.columns : 0;
    return rows() * (cols() - absent) + (sparse_ ? sparse_->by_row.entries() : 0);
  }
  /// True if columns expand to many features: steps draw columns, and kernels use lookup tables.
  bool has_wide_columns() const { return group_starts_ != nullptr; }
  /// About the number of codes of all wide columns, at least 1: the entries of their lookup tables.
  std::size_t codes() const { return codes_; }
  /// What a step draws from: input columns if any is wide, otherwise features.
  std::size_t groups() const { return group_starts_ ? group_starts_->size() : cols_; }
  /// The features of these groups; both ascending.
  std::vector<std::size_t> features_of(std::span<const std::size_t> groups) const;
  FeatureSource source(std::size_t feature) const {
    return sources_ ? (*sources_)[feature] : FeatureSource{.column = feature};
  }
  /// The sources of the listed features, for use in a kernel.
  std::vector<FeatureSource> sources(std::span<const std::size_t> features) const;

  float at(std::size_t row, std::size_t feature) const;
  /// A feature of a tile: a pointer into the stored tile, or to scratch (tile_rows() floats), which it fills.
  const float* column(std::size_t tile, std::size_t feature, float* scratch) const;

  /// Same as TiledMatrix::select_rows.
  void select_rows(std::span<const std::size_t> rows, Features& result) const;
  Features select_rows(std::span<const std::size_t> rows) const;

 private:
  core::TiledMatrix stored_;
  std::size_t cols_ = 0, codes_ = 1;
  std::shared_ptr<const std::vector<FeatureSource>> sources_;     ///< null: feature f is stored column f
  std::shared_ptr<const std::vector<std::size_t>> group_starts_;  ///< null: every feature is a group
  std::shared_ptr<const std::vector<NumberGrid>> grids_;
  std::optional<SparseBlock> sparse_;
};

/// Number of features that must be computed into scratch.
std::size_t count_computed(std::span<const FeatureSource> sources);

}  // namespace accrete::data
