#pragma once
// The network's tables in the exported C header. Internal to io/c_source.
//
// The two values of a one-hot feature (0 and 1 in C) and the target's scale and shift are folded into the weights,
// which costs no precision. Numbers are standardised at run time, because a mean much larger than the scale would
// cancel the digits of the hidden bias.

#include <cstddef>
#include <vector>

#include "accrete/model/model.hpp"

namespace accrete::io {

struct CNetwork {
  /// Every step lists the features it reads; otherwise every unit has a weight for each feature.
  bool sparse = false;
  std::vector<std::size_t> step_units;  ///< of each step
  std::vector<std::size_t> step_width;  ///< listed features of each step; empty unless sparse
  std::vector<std::size_t> listed;      ///< features that each step reads, concatenated; empty unless sparse
  std::vector<float> weights;           ///< per unit: hidden bias, a weight per feature, a weight per output
  std::vector<float> bias;              ///< (steps + 1) x outputs: output bias of each prefix
};

/// Throws DataError for a number outside the range of float.
CNetwork c_network(const model::Model& model);

}  // namespace accrete::io
