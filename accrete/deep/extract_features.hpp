#pragma once
// The features that the frozen part of a network computes for examples, as a table on which to grow a head.

#include <torch/script.h>

#include <functional>
#include <optional>

#include "accrete/data/table.hpp"
#include "accrete/deep/dataset.hpp"
#include "accrete/deep/feature_file.hpp"
#include "accrete/deep/signature.hpp"

namespace accrete::deep {

struct ExtractOptions {
  std::int64_t batch_size = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> observer = {};  ///< receives finished and total examples; false stops
  FeatureFile* file = nullptr;  ///< batches in it are not computed again; new ones are appended
};

/// One column per feature ("f0", "f1", ...), computed in batches; in memory, or in a mapped temporary file if larger
/// than free memory. Unset if the observer returned false. Throws DataError if the inputs do not fit the network, or if
/// its output is not N x F or not finite.
std::optional<data::Table> extract_features(const torch::jit::Module& frozen, const TensorDataset& dataset,
                                            const ExtractOptions& options);

/// Adds the target as the last column, labels as text; appends "_" to its name if a feature has the same name. Does
/// nothing if there are no targets.
void add_target(data::Table& table, const TensorDataset& dataset, const Signature& signature);

}  // namespace accrete::deep
