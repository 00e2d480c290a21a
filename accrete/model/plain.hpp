#pragma once
// The inside of model::Model for the methods that do not grow: what their networks make of a tile of rows.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "accrete/model/model.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::model {

/// Throws UsageError, saying why, when the model's units cannot be switched off.
void require_dial(const Model& model);

/// Throws UsageError "WHAT: this is a plain network, ..." when the model was not grown.
void require_grown(const Model& model, std::string_view what);

/// Scores of a plain model, tile by tile; one per thread.
class PlainScores {
 public:
  /// Keeps a reference to the model.
  PlainScores(const Model& model, std::size_t tile_rows);

  /// tile as for network::forward_tile; score k of row r to scores[k * tile_rows + r]. The link takes them to
  /// predictions as it does for a grown network.
  void operator()(const float* tile, std::size_t rows, double* scores);

 private:
  struct Answer {
    float value;
    std::uint32_t member;
  };

  void vote(const float* tile, std::size_t rows, double* scores);
  void take_median(const float* tile, std::size_t rows, double* scores);
  double median(std::size_t row);

  const Model& model_;
  double total_ = 0.0;  ///< weight of all members
  network::PlainScratch scratch_;
  std::vector<float> answers_;  ///< members x tile_rows, for the median
  std::vector<Answer> sorted_;
};

/// The class a network's scores of one row speak for: score k at scores[k * stride].
std::size_t class_of_scores(const float* scores, std::size_t outputs, std::size_t stride);

}  // namespace accrete::model
