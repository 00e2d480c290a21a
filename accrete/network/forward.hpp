#pragma once
// Scores of a network, whole or cut after any step.

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "accrete/core/aligned.hpp"
#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// rows x outputs scores of the network cut after `steps` steps.
core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers);

/// One row, no allocation: features has network.features() numbers, scores network.outputs() places.
void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores);

/// The scores of one prefix after the other, each at the cost of its last step's units.
class StagedForward {
 public:
  /// At `steps` steps. Keeps references to all it is given.
  StagedForward(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                std::size_t steps = 0);

  /// Goes on by one step; false, and all stays as it is, after the last.
  bool next();

  std::size_t steps() const { return steps_; }
  core::MatrixView<const double> scores() const { return scores_; }  ///< rows x outputs; next() overwrites them
  core::Matrix<double> take_scores() && { return std::move(scores_); }

 private:
  void add_units_from(std::size_t first);

  const Network& network_;
  const core::TiledMatrix& features_;
  core::Workers& workers_;
  std::size_t steps_;
  std::size_t size_;  ///< sums of a tile
  core::AlignedVector<double> closed_;
  core::AlignedVector<float> open_;
  core::Matrix<double> scores_;
};

/// The whole curve in one pass over the units: calls see(steps, scores) for steps = 0, 1, ..., network.steps().
/// The scores are overwritten between calls.
void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see);

}  // namespace accrete::network
