// Forward pass and gradient of the features in lookup tables (network/lookup.hpp) over one tile of rows, compiled once
// per instruction set. A vector holds units of one row. Scratch has groups of lookup_units units: the values of row r
// and unit q + u of group q at [q * tile_rows + r * lookup_units + u].

#if defined(ACCRETE_NETWORK_LOOKUP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_LOOKUP_INL_HPP
#undef ACCRETE_NETWORK_LOOKUP_INL_HPP
#else
#define ACCRETE_NETWORK_LOOKUP_INL_HPP
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "accrete/network/lookup.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Maximum number of units in one vector. The size of scalable vectors is not a compile-time constant.
constexpr std::size_t max_vector_units = HWY_HAVE_SCALABLE ? lookup_units : std::min<std::size_t>(16, HWY_LANES(float));

/// One tile and the tables it reads.
struct LookupTile {
  const LookupTables& tables;
  const std::uint16_t* entries;  ///< tables x tile_rows
  std::size_t rows, tile_rows, units;
  const float* bias = nullptr;  ///< of the units if nothing else adds to the hidden layer, else null

  /// Offset in scratch of unit q of row 0.
  std::size_t scratch_at(std::size_t q) const { return q / lookup_units * lookup_units * tile_rows + q % lookup_units; }
};

/// Stores a vector of units of one row to scratch, lookup_units at a time. stride: floats between consecutive groups.
template <class D, class V>
HWY_ATTR HWY_INLINE void store_units(D d, V v, float* to, [[maybe_unused]] std::size_t stride) {
#if HWY_TARGET != HWY_SCALAR  // scalar vectors have no halves
  if constexpr (hn::MaxLanes(D()) > lookup_units) {
    const hn::Half<D> half;
    store_units(half, hn::LowerHalf(half, v), to, stride);
    store_units(half, hn::UpperHalf(half, v), to + hn::MaxLanes(D()) / 2 / lookup_units * stride, stride);
  } else
#endif
    hn::Store(v, d, to);
}

template <class D>
HWY_ATTR HWY_INLINE hn::Vec<D> load_units(D d, const float* from, [[maybe_unused]] std::size_t stride) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > lookup_units) {
    const hn::Half<D> half;
    const auto low = load_units(half, from, stride);
    return hn::Combine(d, load_units(half, from + hn::MaxLanes(D()) / 2 / lookup_units * stride, stride), low);
  } else
#endif
    return hn::Load(d, from);
}

/// For all rows: scratch = sum over the tables of the entries of `vectors` vectors of units from q on. Each sum is a
/// dependency chain; eight are interleaved.
template <std::size_t lanes, std::size_t vectors>
HWY_ATTR inline void sum_entries(const LookupTile& tile, std::size_t q, float* scratch) {
  constexpr std::size_t rows = 8 / vectors;
  const hn::CappedTag<float, lanes> d;
  const LookupTables& tables = tile.tables;
  for (std::size_t r = 0; r < tile.rows; r += rows) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (std::size_t t = 0; t < tables.count; ++t) {
      const float* table = tables.values + tables.starts[t] + q;
      const std::uint16_t* entry = tile.entries + t * tile.tile_rows + r;
      const auto value = [&](std::size_t i) HWY_ATTR {
        return hn::LoadU(d, table + entry[i / vectors] * tables.width + i % vectors * lanes);
      };
      s0 = hn::Add(s0, value(0)), s1 = hn::Add(s1, value(1)), s2 = hn::Add(s2, value(2)), s3 = hn::Add(s3, value(3));
      s4 = hn::Add(s4, value(4)), s5 = hn::Add(s5, value(5)), s6 = hn::Add(s6, value(6)), s7 = hn::Add(s7, value(7));
    }
    const auto store = [&](std::size_t i, auto sum) HWY_ATTR {
      float* to = scratch + tile.scratch_at(q + i % vectors * lanes) + (r + i / vectors) * lookup_units;
      store_units(d, sum, to, lookup_units * tile.tile_rows);
    };
    store(0, s0), store(1, s1), store(2, s2), store(3, s3), store(4, s4), store(5, s5), store(6, s6), store(7, s7);
  }
}

/// Adds the deltas of `vectors` vectors of units from q on to the sums of each row's entries in tables t .. t + count -
/// 1. Rows with the same entry wait for each other's store; processing several tables at a time hides that.
template <std::size_t lanes, std::size_t vectors, std::size_t count>
HWY_ATTR inline void add_deltas(const LookupTile& tile, std::size_t t, std::size_t q, const float* scratch,
                                float* sums) {
  const hn::CappedTag<float, lanes> d;
  const LookupTables& tables = tile.tables;
  const std::size_t width = tables.width, group = lookup_units * tile.tile_rows;
  const auto table = [&](std::size_t i) { return sums + tables.starts[i < count ? t + i : t] + q; };
  const auto entries = [&](std::size_t i) { return tile.entries + (i < count ? t + i : t) * tile.tile_rows; };
  float *table0 = table(0), *table1 = table(1), *table2 = table(2), *table3 = table(3);
  const std::uint16_t *entry0 = entries(0), *entry1 = entries(1), *entry2 = entries(2), *entry3 = entries(3);
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const auto delta = [&](std::size_t v) HWY_ATTR {
      return load_units(d, scratch + tile.scratch_at(q + (v < vectors ? v : 0) * lanes) + r * lookup_units, group);
    };
    const auto d0 = delta(0), d1 = delta(1), d2 = delta(2), d3 = delta(3);
    const auto add = [&](float* to) HWY_ATTR {
      const auto add_vector = [&](std::size_t v, auto x)
                                  HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, to + v * lanes), x), d, to + v * lanes); };
      add_vector(0, d0);
      if constexpr (vectors > 1) add_vector(1, d1);
      if constexpr (vectors > 2) add_vector(2, d2), add_vector(3, d3);
    };
    add(table0 + entry0[r] * width);
    if constexpr (count > 1) add(table1 + entry1[r] * width);
    if constexpr (count > 2) add(table2 + entry2[r] * width), add(table3 + entry3[r] * width);
  }
}

template <std::size_t lanes, std::size_t vectors>
HWY_ATTR inline void add_all_deltas(const LookupTile& tile, std::size_t q, const float* scratch, float* sums) {
  std::size_t t = 0;
  for (; t + 4 <= tile.tables.count; t += 4) add_deltas<lanes, vectors, 4>(tile, t, q, scratch, sums);
  for (; t + 2 <= tile.tables.count; t += 2) add_deltas<lanes, vectors, 2>(tile, t, q, scratch, sums);
  for (; t < tile.tables.count; ++t) add_deltas<lanes, vectors, 1>(tile, t, q, scratch, sums);
}

/// Covers the units q to width - 1 with SIMD vectors, up to four at a time: calls f(first unit, lanes of a vector,
/// number of vectors), the latter two as integral constants. Units that do not fill a vector are covered by shorter
/// ones.
template <std::size_t lanes = max_vector_units, class F>
HWY_ATTR inline void for_unit_vectors(std::size_t width, const F& f, std::size_t q = 0) {
  const std::integral_constant<std::size_t, lanes> n;
  for (; q + 4 * lanes <= width; q += 4 * lanes) f(q, n, std::integral_constant<std::size_t, 4>());
  for (; q + 2 * lanes <= width; q += 2 * lanes) f(q, n, std::integral_constant<std::size_t, 2>());
  for (; q + lanes <= width; q += lanes) f(q, n, std::integral_constant<std::size_t, 1>());
  if constexpr (lanes > lookup_units) for_unit_vectors<lanes / 2>(width, f, q);
}

/// Adds the table values of unit j at row r to hidden[j * tile_rows + r], or sets it to them plus the bias. scratch:
/// width x tile_rows.
HWY_ATTR inline void add_lookup_sums(const LookupTile& tile, float* hidden, float* scratch) {
  for_unit_vectors(tile.tables.width, [&](std::size_t q, auto lanes, auto vectors)
                                          HWY_ATTR { sum_entries<lanes(), vectors()>(tile, q, scratch); });
  const hn::CappedTag<float, 16> d;
  const std::size_t n = hn::Lanes(d), t = tile.tile_rows;
  for (std::size_t q = 0; q < tile.units; q += lookup_units)
    for (std::size_t r = 0; r < tile.rows; r += n) {
      auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0;
      hn::LoadInterleaved4(d, scratch + q * t + r * lookup_units, v0, v1, v2, v3);
      const auto add = [&](std::size_t j, auto sum) HWY_ATTR {
        if (j >= tile.units) return;
        float* to = hidden + j * t + r;
        hn::Store(hn::Add(tile.bias ? hn::Set(d, tile.bias[j]) : hn::Load(d, to), sum), d, to);
      };
      add(q, v0), add(q + 1, v1), add(q + 2, v2), add(q + 3, v3);
    }
}

/// Adds the gradient of a tile to sums, which have the layout of the tables. delta: units x tile_rows. scratch: width x
/// tile_rows.
HWY_ATTR inline void accumulate_lookup_gradient(const LookupTile& tile, const float* delta, float* scratch,
                                                float* sums) {
  const hn::CappedTag<float, 16> d;
  const std::size_t n = hn::Lanes(d), t = tile.tile_rows;
  for (std::size_t q = 0; q < tile.units; q += lookup_units)
    for (std::size_t r = 0; r < tile.rows; r += n) {
      const float* from = delta + q * t + r;
      const auto zero = hn::Zero(d);
      const auto v1 = q + 1 < tile.units ? hn::Load(d, from + t) : zero;
      const auto v2 = q + 2 < tile.units ? hn::Load(d, from + 2 * t) : zero;
      const auto v3 = q + 3 < tile.units ? hn::Load(d, from + 3 * t) : zero;
      hn::StoreInterleaved4(hn::Load(d, from), v1, v2, v3, d, scratch + q * t + r * lookup_units);
    }
  for_unit_vectors(tile.tables.width, [&](std::size_t q, auto lanes, auto vectors)
                                          HWY_ATTR { add_all_deltas<lanes(), vectors()>(tile, q, scratch, sums); });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
