#include "accrete/backend/cuda/entry_rows.hpp"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

#include "accrete/backend/cuda/evaluator-inl.cuh"

namespace accrete::cuda {
namespace {

constexpr unsigned threads = block_threads, lanes = warp_lanes;
constexpr unsigned in_flight = 4;  ///< loads in flight per lane

/// Maximum rows in a segment of a table entry: few enough to give work to many warps, but enough that one warp can add
/// all segments of an entry that contains every row.
unsigned segment_rows(std::size_t rows) {
  return static_cast<unsigned>(std::max<std::size_t>(128, rows / 2048));
}

__global__ void keys_kernel(const __grid_constant__ EvaluatorState s, unsigned* keys, unsigned* rows) {
  const std::size_t i = std::size_t(blockIdx.x) * threads + threadIdx.x;
  if (i >= std::size_t(s.tables) * s.rows) return;
  const auto table = static_cast<unsigned>(i / s.rows), row = static_cast<unsigned>(i % s.rows);
  keys[i] = s.table_offsets[table] / s.width + s.entries[tile_offset(s, row, s.tables) + table * s.tile_rows];
  rows[i] = row;
}

/// starts[e]: the first position of entry e among the sorted keys.
__global__ void starts_kernel(const unsigned* keys, unsigned count, unsigned entries, unsigned* starts) {
  const unsigned entry = blockIdx.x * threads + threadIdx.x;
  if (entry > entries) return;
  unsigned first = 0, last = count;
  while (first < last) {
    const unsigned middle = first + (last - first) / 2;
    if (keys[middle] < entry)
      first = middle + 1;
    else
      last = middle;
  }
  starts[entry] = first;
}

/// Sums runs of consecutive items, each of which has `width` values in `from`. One warp per run and up to 128 units;
/// its lanes add several items at a time. items: index of each item; null: they are in order.
template <class Sum>
__global__ void runs_kernel(const float* from, const unsigned* items, unsigned width, const unsigned* starts,
                            unsigned runs, Sum* sums) {
  const unsigned run = (blockIdx.x * threads + threadIdx.x) / lanes;
  if (run >= runs) return;
  const unsigned quads = min(lanes, width / quad - blockIdx.y * lanes), at_once = lanes / quads;
  const unsigned item_lane = lane() / quads, first = (blockIdx.y * lanes + lane() % quads) * quad;
  Sum sum[quad] = {};
  const unsigned end = item_lane < at_once ? starts[run + 1] : 0;
  for (unsigned i = starts[run] + item_lane; i < end; i += in_flight * at_once) {
    float4 x[in_flight];
#pragma unroll
    for (unsigned u = 0; u < in_flight; ++u) {
      const unsigned item = min(i + u * at_once, end - 1);
      x[u] = quad_at(from + std::size_t(items ? items[item] : item) * width + first);
    }
#pragma unroll
    for (unsigned u = 0; u < in_flight; ++u)
      if (i + u * at_once < end)
        sum[0] += Sum(x[u].x), sum[1] += Sum(x[u].y), sum[2] += Sum(x[u].z), sum[3] += Sum(x[u].w);
  }
  for (unsigned u = 0; u < quad; ++u) {
    Sum total = sum[u];
    for (unsigned a = 1; a < at_once; ++a) total += __shfl_sync(full_warp, sum[u], (lane() + a * quads) % lanes);
    if (item_lane == 0) sums[std::size_t(run) * width + first + u] = total;
  }
}

template <class Sum>
void add_runs(const float* from, const unsigned* items, unsigned width, const DeviceArray<unsigned>& starts,
              std::size_t runs, Sum* sums) {
  const dim3 blocks(blocks_for(runs * lanes), (width / quad + lanes - 1) / lanes);
  if (runs > 0) runs_kernel<<<blocks, threads>>>(from, items, width, starts.data(), unsigned(runs), sums);
  check_launch();
}

}  // namespace

void EntryRows::sort(const EvaluatorState& s, std::size_t entries) {
  entries_ = entries;
  const std::size_t n = std::size_t(s.tables) * s.rows;
  if (n == 0) return;
  for (auto* array : {&keys_, &sorted_keys_, &positions_, &rows_}) array->reserve(n);
  keys_kernel<<<blocks_for(n), threads>>>(s, keys_.data(), positions_.data());
  check_launch();
  const int bits = std::bit_width(entries);
  std::size_t bytes = 0;
  const auto sort_pairs = [&](void* scratch) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys_.data(), sorted_keys_.data(), positions_.data(),
                                          rows_.data(), n, 0, bits),
          "sort rows");
  };
  sort_pairs(nullptr);
  scratch_.reserve(bytes);
  sort_pairs(scratch_.data());
  entry_segments_.reserve(entries + 1);
  starts_kernel<<<blocks_for(entries + 1), threads>>>(sorted_keys_.data(), unsigned(n), unsigned(entries),
                                                      entry_segments_.data());
  check_launch();
  std::vector<unsigned> starts(entries + 1), segments, first_segments;
  entry_segments_.read(starts);
  for (std::size_t e = 0; e < entries; ++e) {
    first_segments.push_back(static_cast<unsigned>(segments.size()));
    for (unsigned at = starts[e]; at < starts[e + 1]; at += segment_rows(s.rows)) segments.push_back(at);
  }
  segments_ = segments.size();
  first_segments.push_back(static_cast<unsigned>(segments_));
  segments.push_back(static_cast<unsigned>(n));
  segment_starts_.reserve(segments.size());
  segment_starts_.write(segments);
  entry_segments_.write(first_segments);
  segment_sums_.reserve(segments_ * s.width);
}

void EntryRows::add_deltas(const EvaluatorState& s, double* sums) {
  if (s.tables == 0 || s.rows == 0) return;
  add_runs(s.deltas, rows_.data(), s.width, segment_starts_, segments_, segment_sums_.data());
  add_runs(segment_sums_.data(), nullptr, s.width, entry_segments_, entries_, sums);
}

}  // namespace accrete::cuda
