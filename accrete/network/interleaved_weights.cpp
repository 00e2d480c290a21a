#include "accrete/network/interleaved_weights.hpp"

namespace accrete::network {

void InterleavedWeights::append(std::span<const float> hidden_weights, std::span<const float> hidden_bias,
                                std::span<const float> output_weights) {
  const std::size_t before = units_;
  truncate(units_ + hidden_bias.size());
  for (std::size_t j = 0; j < hidden_bias.size(); ++j) {
    const std::size_t u = before + j;
    float* lane = values_.data() + u / width * group_size() + u % width;
    *lane = hidden_bias[j];
    for (std::size_t i = 0; i < features_; ++i) *(lane += width) = hidden_weights[j * features_ + i];
    for (std::size_t k = 0; k < outputs_; ++k) *(lane += width) = output_weights[j * outputs_ + k];
  }
}

void InterleavedWeights::truncate(std::size_t units) {
  units_ = units;
  values_.resize((units + width - 1) / width * group_size());
}

}  // namespace accrete::network
