#pragma once
// How consecutive items, such as chunks of rows, are divided among the ranks.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "accrete/comm/communicator.hpp"

namespace accrete::comm {

/// Each rank has a contiguous range, in rank order; a range may be empty.
struct Share {
  std::vector<std::size_t> starts;  ///< the first item of each rank, then the number of items
  std::size_t rank = 0;             ///< this rank

  std::size_t total() const { return starts.back(); }
  std::size_t first() const { return starts[rank]; }
  std::size_t last() const { return starts[rank + 1]; }  ///< exclusive
  std::size_t count() const { return last() - first(); }
  bool has(std::size_t item) const { return item >= first() && item < last(); }

  std::size_t owner_of(std::size_t item) const {
    return static_cast<std::size_t>(std::upper_bound(starts.begin() + 1, starts.end() - 1, item) - starts.begin()) - 1;
  }
};

/// Gives every rank about the same number of items. Ranges start at multiples of a power of two, about a sixteenth of a
/// range or less, so that a range consists of few nodes of the tree in comm/tree_sum.hpp.
inline Share share_evenly(const Communicator& comm, std::size_t items) {
  const std::size_t ranks = comm.size();
  std::size_t step = 1;
  while (step * 32 * ranks <= items) step *= 2;
  Share share{{}, comm.rank()};
  for (std::size_t r = 0; r < ranks; ++r)
    share.starts.push_back(std::min(items, (r * items / ranks + step / 2) / step * step));
  share.starts.push_back(items);
  return share;
}

/// Converts a share of groups to a share of items; all groups have `size` items except the last.
inline Share share_of_items(const Share& groups, std::size_t size, std::size_t items) {
  Share share = groups;
  for (std::size_t& start : share.starts) start = std::min(items, start * size);
  return share;
}

}  // namespace accrete::comm
