#pragma once
// The frozen part of a network, and what it makes of examples.

#include <torch/script.h>

#include <functional>
#include <string>

#include "accrete/data/table.hpp"
#include "accrete/deep/examples.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

/// A module in evaluation mode that maps inputs (examples.hpp) to features, N x F. `cut` names the submodule whose
/// output is taken ("features", "classifier.3"); empty: "features" of a network written by accrete, else the module's own
/// output. Throws UsageError for a name that is not there (listing those that are), or that is not called exactly once on
/// the straight way through forward.
torch::jit::Module freeze(const Network& network, const Inputs& inputs, const std::string& cut);

struct Extraction {
  std::int64_t batch = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> see = {};  ///< examples done, and in all; false stops with Interrupted
};

/// One column per feature ("f0", "f1", ...), computed in batches; in memory, or in a mapped temporary file when larger
/// than the memory that is free. Throws DataError when the output is not N x F or holds a number that is not finite.
data::Table extract(torch::jit::Module frozen, const Examples& examples, const Extraction& how);

}  // namespace accrete::deep
