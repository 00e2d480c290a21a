#pragma once
// Scores of a single row, dispatched to the best instruction set at run time.

#include <cstddef>

#include "accrete/network/network.hpp"

namespace accrete::network {

/// scores[k] += sum over the first `units` units of output weight * hidden output. features: network.features() values.
/// Allocates nothing.
void add_row_scores(const Network& network, const float* features, std::size_t units, double* scores);

}  // namespace accrete::network
