#include "accrete/network/forward.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"
#include "accrete/network/forward_kernel.hpp"

namespace accrete::network {
namespace {

/// sums (tile's rows x outputs) += one block's outputs on that tile.
void add_tile(TileForward& run, const core::TiledMatrix& x, std::size_t tile, std::size_t outputs, float* scratch,
              core::MatrixView<double> sums) {
  const core::FlushDenormals fast;
  run(x, tile, scratch);
  const std::size_t t = x.tile_rows(), first = tile * t, last = std::min(x.rows(), first + t);
  for (std::size_t r = first; r < last; ++r)
    for (std::size_t k = 0; k < outputs; ++k) sums(r, k) += static_cast<double>(scratch[k * t + r - first]);
}

}  // namespace

core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers) {
  const std::size_t outputs = network.outputs();
  core::Matrix<double> scores(features.rows(), outputs);
  std::vector<Block> blocks;
  for (std::size_t s = 0; s < steps; ++s) blocks.push_back(network.block(s));
  const auto bias = network.bias_after(steps);
  workers.run(features.tiles(), [&](std::size_t tile) {
    core::AlignedVector<float> scratch(outputs * features.tile_rows());
    for (const Block& block : blocks) {
      TileForward run(block, network.activation(), features.tile_rows());
      add_tile(run, features, tile, outputs, scratch.data(), scores);
    }
    const std::size_t first = tile * features.tile_rows(),
                      last = std::min(features.rows(), first + features.tile_rows());
    for (std::size_t r = first; r < last; ++r)
      for (std::size_t k = 0; k < outputs; ++k) scores(r, k) += bias[k];
  });
  return scores;
}

void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores) {
  std::copy_n(network.bias_after(steps).begin(), scores.size(), scores.begin());
  const float* weights = network.hidden_weights().data();
  const std::size_t units = network.units_after(steps), width = network.features(), outputs = network.outputs();
  activation::All::visit(network.activation().index, [&](auto formula) {
    for (std::size_t u = 0; u < units; ++u) {
      float z = network.hidden_bias()[u];
      for (std::size_t i = 0; i < width; ++i) z += weights[u * width + i] * features[i];
      const float a = formula.value(z);
      for (std::size_t k = 0; k < outputs; ++k)
        scores[k] += static_cast<double>(a * network.output_weights()[u * outputs + k]);
    }
  });
}

void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see) {
  const std::size_t outputs = network.outputs();
  core::Matrix<double> sums(features.rows(), outputs), scores(features.rows(), outputs);
  for (std::size_t step = 0;; ++step) {
    const auto bias = network.bias_after(step);
    for (std::size_t r = 0; r < features.rows(); ++r)
      for (std::size_t k = 0; k < outputs; ++k) scores(r, k) = sums(r, k) + bias[k];
    see(step, scores);
    if (step == network.steps()) return;
    const Block block = network.block(step);
    workers.run(features.tiles(), [&](std::size_t tile) {
      core::AlignedVector<float> scratch(outputs * features.tile_rows());
      TileForward run(block, network.activation(), features.tile_rows());
      add_tile(run, features, tile, outputs, scratch.data(), sums);
    });
  }
}

}  // namespace accrete::network
