#pragma once
// Prediction with plain models, tile by tile. Internal to model/.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "accrete/model/model.hpp"
#include "accrete/network/plain.hpp"

namespace accrete::model {

/// Throws UsageError with the reason if the model has no dial.
void require_dial(const Model& model);

/// Throws UsageError "WHAT: ..." unless the method is boosting.
void require_grown(const Model& model, std::string_view what);

/// Computes scores of a plain model; each thread needs its own object.
class PlainScores {
 public:
  /// Keeps a reference to the model.
  PlainScores(const Model& model, std::size_t tile_rows);

  /// tile: as for network::forward_tile. Writes score k of row r to scores[k * tile_rows + r], as input of the link.
  void operator()(const float* tile, std::size_t rows, double* scores);

 private:
  struct MemberScore {
    float value;
    std::uint32_t member;
  };

  void vote(const float* tile, std::size_t rows, double* scores);
  void take_median(const float* tile, std::size_t rows, double* scores);
  double median(std::size_t row);

  const Model& model_;
  double total_ = 0.0;  ///< weight of all members
  network::PlainScratch scratch_;
  std::vector<float> member_scores_;  ///< members x tile_rows, for the median
  std::vector<MemberScore> sorted_;
};

/// The class with the highest score of one row, whose score k is scores[k * stride].
std::size_t class_of_scores(const float* scores, std::size_t outputs, std::size_t stride);

}  // namespace accrete::model
