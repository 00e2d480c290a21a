#pragma once
// Runs a range of a network's units over one tile of rows, dispatched to the best instruction set at run time.
// Prediction runs all units of a prefix in one call; training runs one block (forward_kernel.hpp).

#include <cstddef>

#include "accrete/data/sparse.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// Units are summed in float within groups of this size and groups are summed in double, so the rounding error stays
/// that of a short float sum for any number of units. Groups start at fixed unit indices, so scores do not depend on
/// how a range of units is split into calls.
inline constexpr std::size_t group_units = 16;

/// Running sums of the scores of a tile, without bias; the score of a prefix is the sum of both. Arrays of outputs x
/// tile_rows, cache-line aligned, which the caller zeroes before the first unit.
struct TileSums {
  double* full_groups;   ///< completed groups of group_units units
  float* partial_group;  ///< the units of the current group
};

/// One score; at = output * tile_rows + row.
inline double score(const TileSums& sums, std::size_t at, double bias) {
  return sums.full_groups[at] + static_cast<double>(sums.partial_group[at]) + bias;
}

/// Adds units from .. to - 1 to the sums, which hold all units before `from`. tile: features x tile_rows, cache-line
/// aligned, tile_rows a multiple of 64. Allocates nothing.
void add_units(const Network& network, const float* tile, std::size_t tile_rows, std::size_t from, std::size_t to,
               TileSums sums);

/// The same for `count` rows of a sparse matrix starting at `first`, one column per feature; the other rows of the tile
/// are undefined. Bit-identical to add_units.
struct SparseRange {
  const data::SparseRows& rows;
  std::size_t first, count;
};
void add_units(const Network& network, const SparseRange& range, std::size_t tile_rows, std::size_t from,
               std::size_t to, TileSums sums);

}  // namespace accrete::network
