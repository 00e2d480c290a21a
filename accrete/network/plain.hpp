#pragma once
// A plain network (MLP): any number of hidden layers with one activation, then a linear output layer. All units are
// trained together, so there are no steps and no prefixes.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "accrete/activation/list.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"

namespace accrete::network {

/// Layer sizes and parameter offsets in one array: per layer the weights (outputs x inputs), then the biases.
class PlainShape {
 public:
  PlainShape() = default;
  /// widths: features, units of each hidden layer, outputs. At least two entries, all positive.
  explicit PlainShape(std::vector<std::size_t> widths);

  std::size_t layers() const { return widths_.size() - 1; }
  std::size_t inputs(std::size_t layer) const { return widths_[layer]; }
  std::size_t outputs(std::size_t layer) const { return widths_[layer + 1]; }
  /// Offsets of a layer's weights and biases.
  std::size_t weights_at(std::size_t layer) const { return starts_[layer]; }
  std::size_t bias_at(std::size_t layer) const { return starts_[layer] + inputs(layer) * outputs(layer); }
  std::size_t size() const { return starts_.back(); }  ///< parameters

  std::size_t features() const { return widths_.front(); }
  std::size_t outputs() const { return widths_.back(); }
  std::size_t hidden_units() const;
  std::size_t widest() const { return *std::max_element(widths_.begin(), widths_.end()); }
  const std::vector<std::size_t>& widths() const { return widths_; }
  bool operator==(const PlainShape&) const = default;

 private:
  std::vector<std::size_t> widths_;
  std::vector<std::size_t> starts_;  ///< offset of each layer's parameters, then their total number
};

struct PlainNetwork {
  activation::Activation activation;
  PlainShape shape;
  std::vector<float> parameters;  ///< shape.size()
  bool operator==(const PlainNetwork&) const = default;
};

/// Scratch for the layers of a tile; one per thread.
class PlainScratch {
 public:
  PlainScratch(std::size_t widest, std::size_t tile_rows);

  std::size_t tile_rows;
  std::vector<const float*> inputs;      ///< one per unit of the widest layer
  core::AlignedVector<float> even, odd;  ///< outputs of layers 0, 2, ... and 1, 3, ...
};

/// The scores of the first `rows` rows of a tile. Feature f of row r is tile[f * scratch.tile_rows + r], cache-line
/// aligned; the result points into the scratch, output k of row r is result[k * scratch.tile_rows + r]. Rows are padded
/// to a multiple of 16; the padding is read and must be finite.
const float* forward_tile(const PlainNetwork& network, const float* tile, std::size_t rows, PlainScratch& scratch);

/// rows x outputs scores.
core::Matrix<float> forward(const PlainNetwork& network, const core::TiledMatrix& features, core::Workers& workers);

}  // namespace accrete::network
