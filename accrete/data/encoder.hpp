#pragma once
// From raw columns to the features a network sees, learnt on the training rows and kept in the model.
//
//   numeric column   (x - mean) / sd, a missing value becomes the mean (0)       1 feature
//     with bins      how far x is from a knot to the next, 0 before and 1 after, standardised too   one per bin
//   text column      one-hot over the levels seen in training, standardised too  one feature per level
//   either, when the training rows had gaps: an indicator that is 1 where missing   1 more feature
//
// A level not seen in training, and a missing text value, is an all-zero one-hot. A column that is the same in every
// training row encodes to 0, whatever it holds later.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/data/fit_input.hpp"
#include "accrete/data/input.hpp"
#include "accrete/data/ramps.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

class Encoder {
 public:
  Encoder() = default;
  /// From the parts of a model file. Throws DataError when a scale is not positive and finite, a share not in [0, 1] or
  /// a knot not above the one before it.
  explicit Encoder(std::vector<Input> inputs);

  /// Learns from the given rows of the given columns; means, deviations, shares and quantiles are weighted. With
  /// workers, each column is a task.
  static Encoder fit(const Table& table, std::span<const std::size_t> columns, const WeightedRows& from,
                     const EncoderOptions& options = {}, core::Workers* workers = nullptr);

  const std::vector<Input>& inputs() const { return inputs_; }
  std::size_t features() const { return features_; }
  std::vector<std::string> feature_names() const;  ///< "age", "age 23..31", "age missing", "colour=red"

  /// Columns are matched by name, in any order; others are ignored. Throws DataError for a column that is missing,
  /// for text in a numeric column (row and column named) and for an infinity.
  core::TiledMatrix encode(const Table& table, std::span<const std::size_t> rows) const;
  core::TiledMatrix encode(const Table& table) const;  ///< all rows

  /// One row without a table: raw has one number per input (a text input: the index of its level, anything else
  /// is an unseen level; NaN is missing); features has features() places. Allocates nothing.
  void encode_row(std::span<const float> raw, std::span<float> features) const;

  /// Whether every input is numeric, so that whole rows of numbers can be encoded without a table.
  bool all_numeric() const { return all_numeric_; }

  /// For such an encoder: row-major rows, one column per input, into one tile (feature f of row r at
  /// tile[f * stride + r]). Returns false when an infinity was met. Allocates nothing.
  bool encode_tile(core::MatrixView<const float> raw, float* tile, std::size_t stride) const;

 private:
  std::vector<Input> inputs_;
  std::size_t features_ = 0;
  bool all_numeric_ = true;
  bool one_each_ = true;                  ///< every input is one numeric feature: a row is encoded as a vector
  std::vector<double> means_, inverses_;  ///< of each input; inverse: 1 / scale
  std::vector<Ramps> ramps_;              ///< of each input's bins
  std::vector<std::size_t> places_;       ///< first feature of each input
};

}  // namespace accrete::data
