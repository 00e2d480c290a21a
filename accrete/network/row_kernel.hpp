#pragma once
// One row through the first units of a network, for the instruction set at hand.

#include <cstddef>

#include "accrete/activation/list.hpp"
#include "accrete/network/unit_lanes.hpp"

namespace accrete::network {

/// scores[k] += the outputs of the first `units` units; features: lanes.features() numbers. Allocates nothing.
void add_row(const UnitLanes& lanes, activation::Activation activation, const float* features, std::size_t units,
             double* scores);

}  // namespace accrete::network
