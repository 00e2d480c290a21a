#pragma once
// Sums over chunks of rows that are bit-identical for any number of ranks.
//
// The chunks [0, n) are added by a binary tree over the chunk numbers: node (l, i) covers the chunks from i 2^l up to
// (i + 1) 2^l (exclusive) and is the sum of its left and right halves; a half without chunks is left out. A rank sums
// the largest nodes that its chunks cover completely. Only these nodes, about 2 log2(chunks) per rank, are sent to the
// other ranks, and all ranks finish the tree in the same order.

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
  /// chunks: the chunks of each rank. Keeps the reference to comm.
  TreeSum(Communicator& comm, const Share& chunks);

  /// The sums over all chunks of all ranks; valid until the next call. values: `count` numbers for each chunk of this
  /// rank, `stride` apart. Collective. Does not allocate unless `count` exceeds that of all earlier calls.
  std::span<const double> add(const double* values, std::size_t stride, std::size_t count);
  std::span<const double> add(const float* values, std::size_t stride, std::size_t count);

 private:
  struct Node {
    std::size_t first, size;  ///< the chunks that it covers
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
  std::vector<std::pair<std::size_t, std::size_t>> merges_;  ///< of nodes of all ranks: left += right, in order
  std::vector<double> own_sums_, all_sums_, halves_;         ///< nodes x count; depth x count
  std::vector<std::size_t> bytes_;                           ///< of each rank's nodes
};

}  // namespace accrete::comm
