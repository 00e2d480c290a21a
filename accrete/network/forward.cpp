#include "accrete/network/forward.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"
#include "accrete/network/predict_kernel.hpp"
#include "accrete/network/row_kernel.hpp"

namespace accrete::network {
namespace {

/// The sums of every tile, one after the other.
class AllSums {
 public:
  AllSums(const Network& network, const core::TiledMatrix& features)
      : network_(network),
        features_(features),
        size_(network.outputs() * features.tile_rows()),
        closed_(features.tiles() * size_),
        open_(features.tiles() * size_) {}

  /// Units from .. to - 1, then the scores with the bias of that prefix.
  void add(std::size_t from, std::size_t to, std::span<const double> bias, core::Workers& workers,
           core::MatrixView<double> scores) {
    const std::size_t t = features_.tile_rows();
    workers.run(features_.tiles(), [&](std::size_t tile) {
      const core::FlushDenormals fast;
      const TileSums sums{closed_.data() + tile * size_, open_.data() + tile * size_};
      add_units(network_, features_.tile(tile), t, from, to, sums);
      const std::size_t first = tile * t, count = std::min(t, features_.rows() - first);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t k = 0; k < bias.size(); ++k) scores(first + r, k) = score(sums, k * t + r, bias[k]);
    });
  }

 private:
  const Network& network_;
  const core::TiledMatrix& features_;
  std::size_t size_;
  core::AlignedVector<double> closed_;
  core::AlignedVector<float> open_;
};

}  // namespace

core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers) {
  core::Matrix<double> scores(features.rows(), network.outputs());
  AllSums(network, features).add(0, network.units_after(steps), network.bias_after(steps), workers, scores);
  return scores;
}

void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores) {
  const core::FlushDenormals fast;
  std::fill(scores.begin(), scores.end(), 0.0);
  add_row(network.lanes(), network.activation(), features.data(), network.units_after(steps), scores.data());
  const auto bias = network.bias_after(steps);
  for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += bias[k];
}

void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see) {
  core::Matrix<double> scores(features.rows(), network.outputs());
  AllSums sums(network, features);
  for (std::size_t step = 0; step <= network.steps(); ++step) {
    const std::size_t from = step == 0 ? 0 : network.units_after(step - 1);
    sums.add(from, network.units_after(step), network.bias_after(step), workers, scores);
    see(step, scores);
  }
}

}  // namespace accrete::network
