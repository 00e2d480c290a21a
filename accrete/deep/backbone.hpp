#pragma once
// Networks to be trained from nothing, by a short name: "dense:100,100,100", "cnn" (the paper's).

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Architecture {
  std::string name;                  ///< "dense" or "cnn"
  std::vector<std::int64_t> widths;  ///< dense: of each hidden layer
  std::string text() const;          ///< as it was written
};

/// Throws UsageError saying what can be written.
Architecture read_architecture(const std::string& text);

/// Untrained, its first weights drawn from the seed. The frozen part ends before the last hidden dense layer. Throws
/// UsageError for images to dense layers of a table's network and the other way round, or images too small for the
/// pools.
Network make_backbone(const Architecture& architecture, const Purpose& purpose, std::uint64_t seed);

}  // namespace accrete::deep
