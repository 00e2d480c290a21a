// Forward pass and gradient of the features in lookup tables (network/lookup.hpp) over one tile of rows, compiled once
// per instruction set. A vector holds units_per_vector units of one row. Units are in groups of lookup_units: scratch
// has the values of row r and unit q + u of group q at [q * tile_rows + r * lookup_units + u].

#if defined(ACCRETE_NETWORK_LOOKUP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_LOOKUP_INL_HPP
#undef ACCRETE_NETWORK_LOOKUP_INL_HPP
#else
#define ACCRETE_NETWORK_LOOKUP_INL_HPP
#endif

#include <cstddef>
#include <type_traits>

#include "accrete/network/lookup.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using UnitsTag = hn::CappedTag<float, lookup_units>;
constexpr std::size_t units_per_vector = HWY_TARGET == HWY_SCALAR ? 1 : lookup_units;

/// One tile and the tables it reads.
struct LookupTile {
  const LookupTables& tables;
  LookupRows positions;
  std::size_t rows, tile_rows, units;

  /// Where scratch has unit q of row 0.
  std::size_t scratch_at(std::size_t q) const { return q / lookup_units * lookup_units * tile_rows + q % lookup_units; }
};

/// scratch = sum over the columns of the table values of `vectors` vectors of units from q on, for all rows. A row is a
/// dependency chain per vector; rows are interleaved so that there are at least four.
template <std::size_t vectors>
HWY_ATTR inline void interpolate_units(const LookupTile& tile, std::size_t q, float* scratch) {
  constexpr std::size_t n = units_per_vector, second = vectors > 1 ? n : 0, third = vectors > 2 ? 2 * n : 0;
  constexpr std::size_t fourth = vectors > 2 ? 3 * n : 0;
  const UnitsTag d;
  const LookupTables& tables = tile.tables;
  const std::size_t width = tables.width;
  for (std::size_t r = 0; r < tile.rows; r += 2) {
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (std::size_t c = 0; c < tables.columns; ++c) {
      const LookupColumn& column = tables.layout[c];
      const float* first = tables.values + column.start + q;
      const std::uint16_t* code = tile.positions.codes + c * tile.tile_rows + r;
      const std::size_t stride = column.interpolated ? 2 * width : width;
      const float *a = first + code[0] * stride, *b = first + code[1] * stride;
      a0 = hn::Add(a0, hn::Load(d, a)), b0 = hn::Add(b0, hn::Load(d, b));
      if constexpr (vectors > 1) a1 = hn::Add(a1, hn::Load(d, a + second)), b1 = hn::Add(b1, hn::Load(d, b + second));
      if constexpr (vectors > 2) {
        a2 = hn::Add(a2, hn::Load(d, a + third)), b2 = hn::Add(b2, hn::Load(d, b + third));
        a3 = hn::Add(a3, hn::Load(d, a + fourth)), b3 = hn::Add(b3, hn::Load(d, b + fourth));
      }
      if (!column.interpolated) continue;
      const float* rise = tile.positions.rises + c * tile.tile_rows + r;
      const auto x = hn::Set(d, rise[0]), y = hn::Set(d, rise[1]);
      a += width, b += width;
      a0 = hn::MulAdd(x, hn::Load(d, a), a0), b0 = hn::MulAdd(y, hn::Load(d, b), b0);
      if constexpr (vectors > 1) {
        a1 = hn::MulAdd(x, hn::Load(d, a + second), a1), b1 = hn::MulAdd(y, hn::Load(d, b + second), b1);
      }
      if constexpr (vectors > 2) {
        a2 = hn::MulAdd(x, hn::Load(d, a + third), a2), b2 = hn::MulAdd(y, hn::Load(d, b + third), b2);
        a3 = hn::MulAdd(x, hn::Load(d, a + fourth), a3), b3 = hn::MulAdd(y, hn::Load(d, b + fourth), b3);
      }
    }
    const auto store = [&](std::size_t offset, auto u, auto v) HWY_ATTR {
      float* to = scratch + tile.scratch_at(q + offset) + r * lookup_units;
      hn::Store(u, d, to), hn::Store(v, d, to + lookup_units);
    };
    store(0, a0, b0);
    if constexpr (vectors > 1) store(second, a1, b1);
    if constexpr (vectors > 2) store(third, a2, b2), store(fourth, a3, b3);
  }
}

/// The gradient of `vectors` vectors of units from q on: adds delta to the base sums of each row's entry, and rise *
/// delta to its weight sums. scratch has the deltas.
template <std::size_t vectors>
HWY_ATTR inline void accumulate_units(const LookupTile& tile, std::size_t q, const float* scratch, float* sums) {
  constexpr std::size_t n = units_per_vector;
  const UnitsTag d;
  const LookupTables& tables = tile.tables;
  const std::size_t width = tables.width;
  for (std::size_t c = 0; c < tables.columns; ++c) {
    const LookupColumn& column = tables.layout[c];
    float *first = sums + column.start + q, *second = first + tables.size;
    const std::uint16_t* code = tile.positions.codes + c * tile.tile_rows;
    const float* rise = tile.positions.rises + c * tile.tile_rows;
    const auto delta = [&](std::size_t v, std::size_t r)
                           HWY_ATTR { return hn::Load(d, scratch + tile.scratch_at(q + v * n) + r * lookup_units); };
    if (column.interpolated) {
      const auto add = [&](float* entry, std::size_t r) HWY_ATTR {
        const auto x = hn::Set(d, rise[r]);
        for (std::size_t v = 0; v < vectors; ++v) {
          float* to = entry + v * n;
          const auto e = delta(v, r);
          hn::Store(hn::Add(hn::Load(d, to), e), d, to);
          hn::Store(hn::MulAdd(x, e, hn::Load(d, to + width)), d, to + width);
        }
      };
      for (std::size_t r = 0; r < tile.rows; r += 2)
        add(first + code[r] * 2 * width, r), add(second + code[r + 1] * 2 * width, r + 1);
    } else {
      const auto add = [&](float* entry, std::size_t r) HWY_ATTR {
        for (std::size_t v = 0; v < vectors; ++v)
          hn::Store(hn::Add(hn::Load(d, entry + v * n), delta(v, r)), d, entry + v * n);
      };
      for (std::size_t r = 0; r < tile.rows; r += 2)
        add(first + code[r] * width, r), add(second + code[r + 1] * width, r + 1);
    }
  }
}

/// Calls f(q, vectors) with vectors as a constant, for groups of up to four vectors of units.
template <class F>
HWY_ATTR inline void for_unit_vectors(std::size_t width, const F& f) {
  std::size_t q = 0;
  for (; q + 4 * units_per_vector <= width; q += 4 * units_per_vector) f(q, std::integral_constant<std::size_t, 4>());
  for (; q + 2 * units_per_vector <= width; q += 2 * units_per_vector) f(q, std::integral_constant<std::size_t, 2>());
  for (; q < width; q += units_per_vector) f(q, std::integral_constant<std::size_t, 1>());
}

/// hidden[j * tile_rows + r] += table values of unit j at row r. scratch: width x tile_rows.
HWY_ATTR inline void add_lookup_sums(const LookupTile& tile, float* hidden, float* scratch) {
  for_unit_vectors(tile.tables.width,
                   [&](std::size_t q, auto vectors) HWY_ATTR { interpolate_units<vectors()>(tile, q, scratch); });
  const hn::CappedTag<float, 16> d;
  const std::size_t n = hn::Lanes(d), t = tile.tile_rows;
  for (std::size_t q = 0; q < tile.units; q += lookup_units)
    for (std::size_t r = 0; r < tile.rows; r += n) {
      auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0;
      hn::LoadInterleaved4(d, scratch + q * t + r * lookup_units, v0, v1, v2, v3);
      float* to = hidden + q * t + r;
      hn::Store(hn::Add(hn::Load(d, to), v0), d, to);
      if (q + 1 < tile.units) hn::Store(hn::Add(hn::Load(d, to + t), v1), d, to + t);
      if (q + 2 < tile.units) hn::Store(hn::Add(hn::Load(d, to + 2 * t), v2), d, to + 2 * t);
      if (q + 3 < tile.units) hn::Store(hn::Add(hn::Load(d, to + 3 * t), v3), d, to + 3 * t);
    }
}

/// Adds the gradient of a tile to sums: lookup_sum_copies copies, each laid out as the tables. delta: units x
/// tile_rows. scratch: width x tile_rows.
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
  for_unit_vectors(tile.tables.width,
                   [&](std::size_t q, auto vectors) HWY_ATTR { accumulate_units<vectors()>(tile, q, scratch, sums); });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
