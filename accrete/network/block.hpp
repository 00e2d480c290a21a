#pragma once
// One step's worth of network: J hidden units on some of the features, and their share of the outputs.

#include <cstddef>
#include <vector>

namespace accrete::network {

/// output_k(x) = output_bias[k] + sum_j output_weights[j*K+k] * act(hidden_bias[j] + sum_i hidden_weights[j*f+i]
/// x[features[i]])
struct Block {
  std::size_t units = 0;              ///< J
  std::size_t outputs = 0;            ///< K
  std::vector<std::size_t> features;  ///< ascending; the features the units look at
  std::vector<float> hidden_weights;  ///< J x features.size(), unit after unit
  std::vector<float> hidden_bias;     ///< J
  std::vector<float> output_weights;  ///< J x K, unit after unit
  std::vector<double> output_bias;    ///< K; double, because it only ever enters the running sum of biases
};

}  // namespace accrete::network
