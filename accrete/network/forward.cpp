#include "accrete/network/forward.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"
#include "accrete/network/kernels/predict_kernel.hpp"
#include "accrete/network/kernels/row_kernel.hpp"

namespace accrete::network {

TileSource TileSource::of(const core::TiledMatrix& features) {
  return {.rows = features.rows(),
          .tile_rows = features.tile_rows(),
          .scratch = 0,
          .read = [&features](std::size_t tile, float*) { return features.tile(tile); },
          .sparse = nullptr};
}

TileSource TileSource::of(const data::SparseRows& features) {
  return {.rows = features.rows(),
          .tile_rows = core::TiledMatrix::max_tile_rows,
          .scratch = 0,
          .read = {},
          .sparse = &features};
}

StagedForward::StagedForward(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                             std::size_t steps)
    : StagedForward(network, TileSource::of(features), workers, steps) {}

StagedForward::StagedForward(const Network& network, TileSource features, core::Workers& workers, std::size_t steps)
    : network_(network),
      features_(std::move(features)),
      workers_(workers),
      steps_(steps),
      size_(network.outputs() * features_.tile_rows),
      full_groups_(features_.tiles() * size_),
      partial_group_(features_.tiles() * size_),
      scores_(features_.rows, network.outputs()) {
  add_units_from(0);
}

bool StagedForward::next() {
  if (steps_ == network_.steps()) return false;
  add_units_from(network_.units_after(steps_++));
  return true;
}

/// Adds units first .. units_after(steps_) - 1 to the sums and writes the scores of that prefix.
void StagedForward::add_units_from(std::size_t first) {
  const std::size_t t = features_.tile_rows, last = network_.units_after(steps_);
  const auto bias = network_.bias_after(steps_);
  workers_.run(features_.tiles(), [&](std::size_t tile) {
    const core::FlushDenormals flush;
    const TileSums sums{full_groups_.data() + tile * size_, partial_group_.data() + tile * size_};
    const std::size_t row = tile * t, count = std::min(t, features_.rows - row);
    if (first < last && features_.sparse) {
      add_units(network_, SparseRange{*features_.sparse, row, count}, t, first, last, sums);
    } else if (first < last) {
      core::AlignedVector<float> scratch(features_.scratch);
      add_units(network_, features_.read(tile, scratch.data()), t, first, last, sums);
    }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < bias.size(); ++k) scores_(row + r, k) = score(sums, k * t + r, bias[k]);
  });
}

core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers) {
  return forward(network, TileSource::of(features), steps, workers);
}

core::Matrix<double> forward(const Network& network, TileSource features, std::size_t steps, core::Workers& workers) {
  return StagedForward(network, std::move(features), workers, steps).take_scores();
}

void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores) {
  const core::FlushDenormals flush;
  std::fill(scores.begin(), scores.end(), 0.0);
  add_row_scores(network, features.data(), network.units_after(steps), scores.data());
  const auto bias = network.bias_after(steps);
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += bias[k];
}

void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit) {
  forward_staged(network, TileSource::of(features), workers, visit);
}

void forward_staged(const Network& network, TileSource features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& visit) {
  StagedForward staged(network, std::move(features), workers);
  do visit(staged.steps(), staged.scores());
  while (staged.next());
}

}  // namespace accrete::network
