// Forward pass of sparse features (network/sparse_layer.hpp) over one tile of rows, compiled once per instruction set.
// A vector holds units of one row. Entries are added in feature order, as dense_layer does, so the results are
// bit-identical.

#if defined(ACCRETE_NETWORK_SPARSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_SPARSE_INL_HPP
#undef ACCRETE_NETWORK_SPARSE_INL_HPP
#else
#define ACCRETE_NETWORK_SPARSE_INL_HPP
#endif

#include <algorithm>
#include <cstddef>

#include "accrete/network/kernels/lookup-inl.hpp"
#include "accrete/network/sparse_layer.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows first .. first + rows - 1, without padding.
struct SparseTile {
  const SparseLayer& layer;
  std::size_t first, rows, tile_rows;
};

inline SparseTile sparse_tile(const SparseLayer& layer, std::size_t first, std::size_t tile_rows) {
  return {layer, first, std::min(tile_rows, layer.block().by_row.rows() - first), tile_rows};
}

/// Processes `vectors` vectors of units from q on.
template <std::size_t lanes, std::size_t vectors>
HWY_ATTR inline void add_entries(const SparseTile& tile, std::size_t q, float* hidden) {
  const hn::CappedTag<float, lanes> d;
  const data::SparseRows& rows = tile.layer.block().by_row;
  const std::size_t width = tile.layer.width(), t = tile.tile_rows;
  const std::size_t units = std::min(lanes * vectors, tile.layer.units() - q);
  const float* weights = tile.layer.weights() + q;
  HWY_ALIGN float sums[lanes * vectors] = {};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::size_t begin = rows.starts[tile.first + r], end = rows.starts[tile.first + r + 1];
    if (begin == end) continue;
    float* to = hidden + q * t + r;
    for (std::size_t j = 0; j < units; ++j) sums[j] = to[j * t];
    const auto load = [&](std::size_t v) HWY_ATTR { return hn::LoadU(d, sums + (v < vectors ? v : 0) * lanes); };
    auto s0 = load(0), s1 = load(1), s2 = load(2), s3 = load(3);
    for (std::size_t e = begin; e < end; ++e) {
      const float* w = weights + rows.indices[e] * width;
      const auto x = hn::Set(d, rows.values[e]);
      s0 = hn::MulAdd(hn::LoadU(d, w), x, s0);
      if constexpr (vectors > 1) s1 = hn::MulAdd(hn::LoadU(d, w + lanes), x, s1);
      if constexpr (vectors > 2) s2 = hn::MulAdd(hn::LoadU(d, w + 2 * lanes), x, s2);
      if constexpr (vectors > 2) s3 = hn::MulAdd(hn::LoadU(d, w + 3 * lanes), x, s3);
    }
    hn::StoreU(s0, d, sums);
    if constexpr (vectors > 1) hn::StoreU(s1, d, sums + lanes);
    if constexpr (vectors > 2) hn::StoreU(s2, d, sums + 2 * lanes), hn::StoreU(s3, d, sums + 3 * lanes);
    for (std::size_t j = 0; j < units; ++j) to[j * t] = sums[j];
  }
}

/// hidden[j * tile_rows + r] += weights of unit j times the sparse features of row r.
HWY_ATTR inline void add_sparse_sums(const SparseTile& tile, float* hidden) {
  for_unit_vectors(tile.layer.width(), [&](std::size_t q, auto lanes, auto vectors)
                                           HWY_ATTR { add_entries<lanes(), vectors()>(tile, q, hidden); });
}

/// Copies the deltas of a tile (units x tile_rows) into the matrix of all deltas (rows x width).
inline void copy_deltas(const SparseTile& tile, const float* delta, float* deltas) {
  const std::size_t width = tile.layer.width();
  float* to = deltas + tile.first * width;
  for (std::size_t j = 0; j < tile.layer.units(); ++j)
    for (std::size_t r = 0; r < tile.rows; ++r) to[r * width + j] = delta[j * tile.tile_rows + r];
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
