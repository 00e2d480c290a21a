#pragma once
// The features of many rows, as training reads them. A feature is a stored column, or a ramp computed from a stored
// column of raw numbers whenever a tile is read, into scratch memory that stays in the L1 cache. Computing a ramp is
// cheaper than reading it from L2 or further away, and takes the memory of one column instead of one per bin.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/tiled.hpp"
#include "accrete/data/ramps.hpp"

namespace accrete::data {

/// Where the values of a feature come from: a stored column, directly or through a ramp.
struct FeatureSource {
  std::size_t column = 0;
  bool ramped = false;
  Ramp ramp = {};
};

/// The features that a kernel reads from a tile; see ramp-inl.hpp.
struct FeatureList {
  const FeatureSource* from;
  std::size_t count, tile_rows;
};

class Features {
 public:
  Features() = default;
  /// Every feature is a stored column.
  Features(core::TiledMatrix stored) : stored_(std::move(stored)), cols_(stored_.cols()) {}
  /// One source per feature. Tiles have the rows that a matrix of all features would use, so that results do not depend
  /// on the storage.
  Features(core::TiledMatrix stored, std::vector<FeatureSource> sources);

  std::size_t rows() const { return stored_.rows(); }
  std::size_t cols() const { return cols_; }  ///< features, stored or computed
  std::size_t tile_rows() const { return stored_.tile_rows(); }
  std::size_t tiles() const { return stored_.tiles(); }

  const core::TiledMatrix& stored() const { return stored_; }
  FeatureSource source(std::size_t feature) const {
    return sources_ ? (*sources_)[feature] : FeatureSource{.column = feature};
  }
  /// Sources of the listed features, for a kernel.
  std::vector<FeatureSource> sources(std::span<const std::size_t> features) const;

  float at(std::size_t row, std::size_t feature) const;
  /// A feature of a tile: a pointer into the stored tile, or to scratch (tile_rows() floats) filled with the ramp.
  const float* column(std::size_t tile, std::size_t feature, float* scratch) const;

  /// Same as TiledMatrix::select_rows.
  void select_rows(std::span<const std::size_t> rows, Features& result) const;
  Features select_rows(std::span<const std::size_t> rows) const;

 private:
  core::TiledMatrix stored_;
  std::size_t cols_ = 0;
  std::shared_ptr<const std::vector<FeatureSource>> sources_;  ///< null: feature f is column f
};

/// Number of features that a kernel must compute into scratch memory.
std::size_t count_ramps(std::span<const FeatureSource> sources);

}  // namespace accrete::data
