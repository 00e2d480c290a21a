#pragma once
// Untrained networks by short name: "dense:100,100,100", "cnn" (the paper's).

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Architecture {
  std::string name;                  ///< "dense" or "cnn"
  std::vector<std::int64_t> widths;  ///< dense: width of each hidden layer
  std::string text() const;          ///< the text that parse_architecture reads
};

/// Throws UsageError that lists the valid forms.
Architecture parse_architecture(const std::string& text);

/// An untrained network with initial weights drawn from the seed. The frozen part ends before the last hidden dense
/// layer. Throws UsageError for images with a dense network or a table with a convolutional one, and for images too
/// small for the pooling layers.
TorchNetwork make_backbone(const Architecture& architecture, const Signature& signature, std::uint64_t seed);

}  // namespace accrete::deep
