#pragma once
// Scores of a network, whole or cut after any step.

#include <functional>
#include <span>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// rows x outputs scores of the network cut after `steps` steps.
core::Matrix<double> forward(const Network& network, const core::TiledMatrix& features, std::size_t steps,
                             core::Workers& workers);

/// One row, no allocation: features has network.features() numbers, scores network.outputs() places.
void forward_row(const Network& network, std::span<const float> features, std::size_t steps, std::span<double> scores);

/// The whole curve in one pass over the units: calls see(steps, scores) for steps = 0, 1, ..., network.steps().
/// The scores are overwritten between calls.
void forward_staged(const Network& network, const core::TiledMatrix& features, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see);

}  // namespace accrete::network
