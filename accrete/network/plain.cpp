#include "accrete/network/plain.hpp"

#include <numeric>

#include "accrete/core/denormals.hpp"

namespace accrete::network {

PlainShape::PlainShape(std::vector<std::size_t> widths) : widths_(std::move(widths)), starts_{0} {
  for (std::size_t l = 0; l < layers(); ++l) starts_.push_back(bias_at(l) + outputs(l));
}

std::size_t PlainShape::hidden_units() const {
  return std::accumulate(widths_.begin() + 1, widths_.end() - 1, std::size_t{0});
}

PlainScratch::PlainScratch(std::size_t widest, std::size_t rows)
    : tile_rows(rows), inputs(widest), even(widest * rows), odd(widest * rows) {}

core::Matrix<float> forward(const PlainNetwork& network, const core::TiledMatrix& features, core::Workers& workers) {
  constexpr std::size_t tiles_per_task = 8;  // one scratch allocation serves several tiles
  const std::size_t t = features.tile_rows(), tiles = features.tiles(), outputs = network.shape.outputs();
  core::Matrix<float> result(features.rows(), outputs);
  workers.run((tiles + tiles_per_task - 1) / tiles_per_task, [&](std::size_t task) {
    const core::FlushDenormals flush;
    PlainScratch scratch(network.shape.widest(), t);
    for (std::size_t i = task * tiles_per_task; i < std::min(tiles, (task + 1) * tiles_per_task); ++i) {
      const std::size_t count = std::min(t, features.rows() - i * t);
      const float* scores = forward_tile(network, features.tile(i), count, scratch);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t k = 0; k < outputs; ++k) result(i * t + r, k) = scores[k * t + r];
    }
  });
  return result;
}

}  // namespace accrete::network
