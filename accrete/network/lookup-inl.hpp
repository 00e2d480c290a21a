// Forward pass and gradient of the features in lookup tables (backend/lookup.hpp) over one tile of rows, compiled once
// per instruction set. Vectors hold lookup_units units of one row.

#if defined(ACCRETE_BACKEND_LOOKUP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_LOOKUP_INL_HPP
#undef ACCRETE_BACKEND_LOOKUP_INL_HPP
#else
#define ACCRETE_BACKEND_LOOKUP_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/lookup.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using UnitsTag = hn::CappedTag<float, lookup_units>;
constexpr std::size_t units_per_vector = HWY_TARGET == HWY_SCALAR ? 1 : lookup_units;

/// One tile and the tables it reads.
struct LookupTile {
  const LookupTables& tables;
  LookupRows positions;
  std::size_t rows, tile_rows, units;
};

/// interleaved[r * lookup_units + u] = sum over the columns of the table values of unit q + u at row r, for
/// units_per_vector units. Four rows are interleaved, since each is one dependency chain.
HWY_ATTR inline void interpolate_units(const LookupTile& tile, std::size_t q, float* interleaved) {
  const UnitsTag d;
  const LookupTables& tables = tile.tables;
  const std::size_t width = tables.width, stride = 2 * width;
  for (std::size_t r = 0; r < tile.rows; r += 4) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t c = 0; c < tables.columns; ++c) {
      const float* first = tables.values + tables.starts[c] * stride + q;
      const std::uint16_t* code = tile.positions.codes + c * tile.tile_rows + r;
      const float* rise = tile.positions.rises + c * tile.tile_rows + r;
      const float *e0 = first + code[0] * stride, *e1 = first + code[1] * stride;
      const float *e2 = first + code[2] * stride, *e3 = first + code[3] * stride;
      s0 = hn::MulAdd(hn::Set(d, rise[0]), hn::Load(d, e0 + width), hn::Add(s0, hn::Load(d, e0)));
      s1 = hn::MulAdd(hn::Set(d, rise[1]), hn::Load(d, e1 + width), hn::Add(s1, hn::Load(d, e1)));
      s2 = hn::MulAdd(hn::Set(d, rise[2]), hn::Load(d, e2 + width), hn::Add(s2, hn::Load(d, e2)));
      s3 = hn::MulAdd(hn::Set(d, rise[3]), hn::Load(d, e3 + width), hn::Add(s3, hn::Load(d, e3)));
    }
    float* to = interleaved + r * lookup_units;
    hn::Store(s0, d, to), hn::Store(s1, d, to + lookup_units);
    hn::Store(s2, d, to + 2 * lookup_units), hn::Store(s3, d, to + 3 * lookup_units);
  }
}

/// hidden[j * tile_rows + r] += table values of unit j at row r. interleaved: scratch of lookup_units x tile_rows.
HWY_ATTR inline void add_lookup_sums(const LookupTile& tile, float* hidden, float* interleaved) {
  for (std::size_t q = 0; q < tile.units; q += lookup_units) {
    for (std::size_t u = 0; u < lookup_units; u += units_per_vector) interpolate_units(tile, q + u, interleaved + u);
    for (std::size_t j = q; j < tile.units && j < q + lookup_units; ++j) {
      float* __restrict to = hidden + j * tile.tile_rows;
      for (std::size_t r = 0; r < tile.rows; ++r) to[r] += interleaved[r * lookup_units + j - q];
    }
  }
}

/// For every row and column: adds delta to the base sums of its entry, rise * delta to the weight sums. sums is laid
/// out as the tables.
HWY_ATTR inline void accumulate_lookup_gradient(const LookupTile& tile, const float* delta, float* interleaved,
                                                float* sums) {
  const UnitsTag d;
  const LookupTables& tables = tile.tables;
  const std::size_t width = tables.width, stride = 2 * width;
  for (std::size_t q = 0; q < tile.units; q += lookup_units) {
    for (std::size_t j = q; j < q + lookup_units; ++j)
      for (std::size_t r = 0; r < tile.rows; ++r)
        interleaved[r * lookup_units + j - q] = j < tile.units ? delta[j * tile.tile_rows + r] : 0.0f;
    for (std::size_t c = 0; c < tables.columns; ++c) {
      float* first = sums + tables.starts[c] * stride + q;
      const std::uint16_t* code = tile.positions.codes + c * tile.tile_rows;
      const float* rise = tile.positions.rises + c * tile.tile_rows;
      for (std::size_t r = 0; r < tile.rows; ++r) {
        for (std::size_t u = 0; u < lookup_units; u += units_per_vector) {
          float* entry = first + code[r] * stride + u;
          const auto e = hn::Load(d, interleaved + r * lookup_units + u);
          hn::Store(hn::Add(hn::Load(d, entry), e), d, entry);
          hn::Store(hn::MulAdd(hn::Set(d, rise[r]), e, hn::Load(d, entry + width)), d, entry + width);
        }
      }
    }
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
