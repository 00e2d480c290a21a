#pragma once
// The units of a whole network over one tile of rows, for the instruction set at hand. Training runs the blocks of one
// step (forward_kernel.hpp); prediction runs all of them at once, and cuts where it likes.

#include <cstddef>

#include "accrete/network/network.hpp"

namespace accrete::network {

/// Units are added in float within a group of this many, and groups in double: the error stays that of a short float
/// sum however large the network is. Groups begin at multiples of it, so a sum does not depend on where earlier calls
/// stopped.
inline constexpr std::size_t group_units = 16;

/// The running sums of a tile; both outputs x tile_rows, on a cache line, zero at first. Their sum is the score without
/// the bias.
struct TileSums {
  double* closed;  ///< the groups that are full
  float* open;     ///< the group that is not
};

/// One score; `at` is output * tile_rows + row.
inline double score(const TileSums& sums, std::size_t at, double bias) {
  return sums.closed[at] + static_cast<double>(sums.open[at]) + bias;
}

/// Adds units from .. to - 1 to the sums; units before `from` have been added. tile: features x tile_rows on a cache
/// line, tile_rows a multiple of 64. Allocates nothing.
void add_units(const Network& network, const float* tile, std::size_t tile_rows, std::size_t from, std::size_t to,
               TileSums sums);

}  // namespace accrete::network
