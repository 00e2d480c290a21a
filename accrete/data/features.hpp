#pragma once
// The features of many rows as training reads them. Most are columns as they are. The ramps of a binned number may be
// left out: the number is stored once, and a ramp is computed from it whenever a tile is looked at, into room that
// stays in the first-level cache. That costs less than reading the ramps from further away, and memory for one column
// instead of one per bin.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "accrete/core/tiled.hpp"
#include "accrete/data/ramps.hpp"

namespace accrete::data {

/// Where one feature's values come from: a stored column, as it is or through a ramp.
struct FeatureSource {
  std::size_t column = 0;
  bool ramped = false;
  Ramp ramp = {};
};

/// Features for a kernel to find in a tile; see ramp-inl.hpp.
struct FeatureList {
  const FeatureSource* from;
  std::size_t count, tile_rows;
};

class Features {
 public:
  Features() = default;
  /// Every feature is a column. Not explicit: a matrix is a set of features.
  Features(core::TiledMatrix stored) : stored_(std::move(stored)), cols_(stored_.cols()) {}
  /// One source per feature; the tiles are of as many rows as those of a matrix of all features would be, so that
  /// nothing depends on what is stored.
  Features(core::TiledMatrix stored, std::vector<FeatureSource> sources);

  std::size_t rows() const { return stored_.rows(); }
  std::size_t cols() const { return cols_; }  ///< features, stored or not
  std::size_t tile_rows() const { return stored_.tile_rows(); }
  std::size_t tiles() const { return stored_.tiles(); }

  const core::TiledMatrix& stored() const { return stored_; }
  FeatureSource source(std::size_t feature) const {
    return sources_ ? (*sources_)[feature] : FeatureSource{.column = feature};
  }
  /// Of the listed features, for a kernel.
  std::vector<FeatureSource> sources(std::span<const std::size_t> features) const;

  float at(std::size_t row, std::size_t feature) const;
  /// A feature of a tile: in the stored tile, or in room (tile_rows() floats), where it was written.
  const float* column(std::size_t tile, std::size_t feature, float* room) const;

  /// As TiledMatrix::select_rows.
  void select_rows(std::span<const std::size_t> rows, Features& result) const;
  Features select_rows(std::span<const std::size_t> rows) const;

 private:
  core::TiledMatrix stored_;
  std::size_t cols_ = 0;
  std::shared_ptr<const std::vector<FeatureSource>> sources_;  ///< null: feature f is column f
};

/// How many of them need room of their own in a kernel.
std::size_t ramps_among(std::span<const FeatureSource> sources);

}  // namespace accrete::data
