#pragma once
// The block that one boosting step adds: J hidden units on a subset of the features, and their output layer.

#include <cstddef>
#include <vector>

namespace accrete::network {

/// output_k(x) = output_bias[k] + sum_j output_weights[j*K+k] * act(hidden_bias[j] + sum_i hidden_weights[j*f+i]
/// x[features[i]])
struct Block {
  std::size_t units = 0;              ///< J
  std::size_t outputs = 0;            ///< K
  std::vector<std::size_t> features;  ///< features that the units read, ascending
  std::vector<float> hidden_weights;  ///< J x features.size(), row-major
  std::vector<float> hidden_bias;     ///< J
  std::vector<float> output_weights;  ///< J x K, row-major
  std::vector<double> output_bias;    ///< K; double because it is only added to the network's prefix bias
};

}  // namespace accrete::network
