#pragma once
// Sums over chunks of rows that have the same bits for any number of ranks.
//
// The sum of the chunks [0, n) is that of a binary tree over the chunk numbers: node (l, i) covers the chunks from
// i 2^l to (i + 1) 2^l - 1 and is the sum of its left and its right half; a half without chunks is left out. A rank
// sums the largest nodes that its chunks cover completely. Only these cross to the other ranks, about twice the
// logarithm of its chunks, and all ranks finish the tree in the same order.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/comm/share.hpp"

namespace accrete::comm {

class TreeSum {
 public:
  TreeSum() = default;
  /// chunks: which rank has which. Keeps the reference.
  TreeSum(Communicator& comm, const Share& chunks);

  /// The sums over all chunks of all ranks; valid until the next call. values: `count` numbers for each chunk of this
  /// rank, `stride` apart. A collective verb. Allocates nothing if an earlier call had as large a count.
  std::span<const double> add(const double* values, std::size_t stride, std::size_t count);
  std::span<const double> add(const float* values, std::size_t stride, std::size_t count);

 private:
  struct Node {
    std::size_t first, size;  ///< its chunks
  };

  template <class T>
  std::span<const double> add_tree(const T* values, std::size_t stride, std::size_t count);
  static void append_nodes(std::size_t first, std::size_t last, std::vector<Node>& nodes);
  void plan_merges(const std::vector<Node>& nodes);
  void gather(std::size_t count);

  Communicator* comm_ = nullptr;
  std::vector<Node> own_;  ///< nodes of this rank; `first` is relative to its first chunk
  std::vector<std::size_t> node_counts_;
  std::size_t nodes_ = 0;                                    ///< of all ranks
  std::size_t depth_ = 0;                                    ///< of the largest own node
  std::vector<std::pair<std::size_t, std::size_t>> merges_;  ///< of nodes of all ranks: left += right, in this order
  std::vector<double> own_sums_, all_sums_, halves_;         ///< nodes x count; depth x count
  std::vector<std::size_t> bytes_;                           ///< of each rank's nodes
};

}  // namespace accrete::comm
