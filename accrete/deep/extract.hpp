#pragma once
// What the frozen part of a network makes of examples, as a table to grow a head on.

#include <torch/script.h>

#include <functional>
#include <optional>

#include "accrete/data/table.hpp"
#include "accrete/deep/examples.hpp"
#include "accrete/deep/examples/purpose.hpp"

namespace accrete::deep {

struct Extraction {
  std::int64_t batch = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> see = {};  ///< examples done, and in all; false stops
};

/// One column per feature ("f0", "f1", ...), computed in batches; in memory, or in a mapped temporary file when larger
/// than the memory that is free. Nothing when `see` said stop. Throws DataError when the inputs do not fit the network,
/// or its output is not N x F or holds a number that is not finite.
std::optional<data::Table> extract(const torch::jit::Module& frozen, const Examples& examples, const Extraction& how);

/// Adds the target as the last column, labels as text; its name ends in "_" where a feature has it. Nothing is added
/// where there are no targets.
void add_target(data::Table& table, const Examples& examples, const Purpose& purpose);

}  // namespace accrete::deep
