#include "accrete/comm/tree_sum.hpp"

#include <algorithm>

#include "accrete/comm/sum_chunks_kernel.hpp"

namespace accrete::comm {
namespace {

/// Values of consecutive chunks.
template <class T>
struct Leaves {
  const T* values;
  std::size_t stride, count;

  const T* of(std::size_t chunk) const { return values + chunk * stride; }
};

/// Writes the sum of a complete node to `out`. Adds four chunks in one pass over memory. halves: scratch, `count`
/// numbers per level.
template <class T>
void sum_node(const Leaves<T>& leaves, std::size_t first, std::size_t size, double* out, double* halves) {
  const auto leaf = [&](std::size_t i) { return i < size ? leaves.of(first + i) : nullptr; };
  if (size <= 4) return sum_chunks(leaf(0), leaf(1), leaf(2), leaf(3), out, leaves.count);
  sum_node(leaves, first, size / 2, out, halves + leaves.count);
  sum_node(leaves, first + size / 2, size / 2, halves, halves + leaves.count);
  add_sums(halves, out, leaves.count);
}

}  // namespace

TreeSum::TreeSum(Communicator& comm, const Share& chunks) : comm_(&comm) {
  std::vector<Node> nodes;
  for (std::size_t r = 0; r < comm.size(); ++r) {
    const std::size_t before = nodes.size();
    append_nodes(chunks.starts[r], chunks.starts[r + 1], nodes);
    node_counts_.push_back(nodes.size() - before);
    if (r != comm.rank()) continue;
    own_.assign(nodes.begin() + static_cast<std::ptrdiff_t>(before), nodes.end());
    for (Node& node : own_) node.first -= chunks.first();
  }
  nodes_ = nodes.size();
  for (const Node& node : own_)
    for (std::size_t levels = 1; (std::size_t{1} << levels) <= node.size; ++levels) depth_ = std::max(depth_, levels);
  plan_merges(nodes);
}

/// The largest nodes within [first, last), in order.
void TreeSum::append_nodes(std::size_t first, std::size_t last, std::vector<Node>& nodes) {
  while (first < last) {
    std::size_t size = 1;
    while (first % (2 * size) == 0 && first + 2 * size <= last) size *= 2;
    nodes.push_back({first, size});
    first += size;
  }
}

/// Siblings are merged as soon as both exist; the remaining nodes lack right halves and are merged from the right.
void TreeSum::plan_merges(const std::vector<Node>& nodes) {
  std::vector<std::pair<Node, std::size_t>> open;  // with the index of its sum
  const auto merge_last = [&] {
    const auto [right, from] = open.back();
    open.pop_back();
    merges_.emplace_back(open.back().second, from);
    open.back().first.size *= 2;
  };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    open.emplace_back(nodes[n], n);
    while (open.size() > 1) {
      const Node &left = open[open.size() - 2].first, &right = open.back().first;
      if (left.size != right.size || left.first % (2 * left.size) != 0) break;
      merge_last();
    }
  }
  while (open.size() > 1) merge_last();
}

void TreeSum::gather(std::size_t count) {
  bytes_.clear();
  for (const std::size_t nodes : node_counts_) bytes_.push_back(nodes * count * sizeof(double));
  all_sums_.resize(std::max(all_sums_.size(), nodes_ * count));
  comm_->all_gather(std::as_bytes(std::span(own_sums_).first(own_.size() * count)), bytes_,
                    std::as_writable_bytes(std::span(all_sums_).first(nodes_ * count)));
}

template <class T>
std::span<const double> TreeSum::add_tree(const T* values, std::size_t stride, std::size_t count) {
  own_sums_.resize(std::max(own_sums_.size(), std::max<std::size_t>(1, own_.size()) * count));
  halves_.resize(std::max(halves_.size(), depth_ * count));
  const Leaves<T> leaves{values, stride, count};
  for (std::size_t n = 0; n < own_.size(); ++n)
    sum_node(leaves, own_[n].first, own_[n].size, own_sums_.data() + n * count, halves_.data());
  const bool alone = comm_->size() == 1;
  if (!alone) gather(count);
  double* sums = alone ? own_sums_.data() : all_sums_.data();
  for (const auto& [left, right] : merges_) add_sums(sums + right * count, sums + left * count, count);
  if (nodes_ == 0) std::fill_n(own_sums_.data(), count, 0.0);
  return {nodes_ == 0 ? own_sums_.data() : sums, count};
}

std::span<const double> TreeSum::add(const double* values, std::size_t stride, std::size_t count) {
  return add_tree(values, stride, count);
}

std::span<const double> TreeSum::add(const float* values, std::size_t stride, std::size_t count) {
  return add_tree(values, stride, count);
}

}  // namespace accrete::comm
