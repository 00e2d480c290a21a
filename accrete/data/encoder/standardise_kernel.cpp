#include "accrete/data/encoder/standardise_kernel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/data/encoder/standardise_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The compiler vectorises these loops: they have no branch and no reduction.

inline int is_infinite(float x) {
  return std::abs(x) > std::numeric_limits<float>::max();
}

inline float standardised(double mean, double inverse, float x) {
  const double value = (static_cast<double>(x) - mean) * inverse;
  return x == x ? static_cast<float>(std::clamp(value, -max_deviations, max_deviations)) : 0.0f;
}

/// Bits that are ordered by magnitude; infinities and NaN come last.
inline std::uint32_t magnitude(float x) {
  return std::bit_cast<std::uint32_t>(x) & 0x7fffffff;
}

bool standardise_column(const Standardised& by, const float* x, std::size_t count, float* values) {
  const double mean = by.mean, inverse = by.inverse;
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, magnitude(x[i]));
  // The common case: no number is infinite, missing or clamped. Neither an infinity nor a NaN passes the comparison.
  if ((static_cast<double>(std::bit_cast<float>(largest)) + std::abs(mean)) * inverse <= max_deviations) {
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>((static_cast<double>(x[i]) - mean) * inverse);
    return true;
  }
  int infinite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    infinite |= is_infinite(x[i]);
    values[i] = standardised(mean, inverse, x[i]);
  }
  return !infinite;
}

bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values) {
  int infinite = 0;
  for (std::size_t i = 0; i < count; ++i) infinite |= is_infinite(x[i]);
  for (std::size_t i = 0; i < count; ++i) values[i] = standardised(means[i], inverses[i], x[i]);
  return !infinite;
}

void flag_missing(const float* x, std::size_t count, float* flags) {
  for (std::size_t i = 0; i < count; ++i) flags[i] = x[i] == x[i] ? 0.0f : 1.0f;
}

#if HWY_TARGET == HWY_SCALAR
inline bool transpose_blocks(const float*, std::size_t, std::size_t, const std::size_t*, float*, std::size_t) {
  return false;
}
#else
/// Loads four numbers of every fourth row from x on as one vector.
template <class D>
HWY_ATTR HWY_INLINE hn::Vec<D> rows_apart(D d, const float* x, std::size_t columns) {
  if constexpr (hn::MaxLanes(d) == 4) {
    return hn::LoadU(d, x);
  } else {
    const hn::Half<D> half;
    const float* upper = x + hn::MaxLanes(half) * columns;
    return hn::Combine(d, rows_apart(half, upper, columns), rows_apart(half, x, columns));
  }
}

/// Four columns of `count` rows, in blocks of one vector length. The last block overlaps the previous one and rewrites
/// the same numbers.
template <class D>
HWY_ATTR HWY_INLINE void transpose_four(D d, const float* rows, std::size_t count, std::size_t columns,
                                        float* const* to) {
  const hn::Repartition<std::uint64_t, D> pairs;
  constexpr std::size_t height = hn::MaxLanes(d);
  float *to0 = to[0], *to1 = to[1], *to2 = to[2], *to3 = to[3];
  for (std::size_t i = 0; i < count; i += height) {
    const std::size_t r = std::min(i, count - height);
    const float* x = rows + r * columns;
    const auto a = rows_apart(d, x, columns), b = rows_apart(d, x + columns, columns);
    const auto c = rows_apart(d, x + 2 * columns, columns), e = rows_apart(d, x + 3 * columns, columns);
    const auto ab01 = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto ab23 = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto ce01 = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
    const auto ce23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab01, ce01)), d, to0 + r);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab01, ce01)), d, to1 + r);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, ab23, ce23)), d, to2 + r);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, ab23, ce23)), d, to3 + r);
  }
}

/// Processes groups of rows that stay in the L1 cache from column to column. Returns false and writes nothing if there
/// are fewer rows or columns than one block.
template <class D>
HWY_ATTR bool spread_by(D d, const float* rows, std::size_t count, std::size_t columns, const std::size_t* place,
                        float* out, std::size_t stride) {
  constexpr std::size_t height = hn::MaxLanes(d), group = 64;
  if (count < height || columns < 4) return false;
  for (std::size_t i = 0; i < count; i += group) {
    const std::size_t first = std::min(i, count - height);
    for (std::size_t j = 0; j < columns; j += 4) {
      const std::size_t c = std::min(j, columns - 4);
      float* to[4];
      for (std::size_t k = 0; k < 4; ++k) to[k] = out + place[c + k] * stride + first;
      transpose_four(d, rows + first * columns + c, std::min(group, count - first), columns, to);
    }
  }
  return true;
}

/// Uses the widest block that fits the rows. Combining half vectors is cheap only on x86.
HWY_ATTR inline bool transpose_blocks(const float* rows, std::size_t count, std::size_t columns,
                                      const std::size_t* place, float* out, std::size_t stride) {
#if HWY_ARCH_X86
  if (spread_by(hn::CappedTag<float, 16>(), rows, count, columns, place, out, stride)) return true;
#endif
  return spread_by(hn::FixedTag<float, 4>(), rows, count, columns, place, out, stride);
}
#endif

void transpose_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                    std::size_t stride) {
  if (transpose_blocks(rows, count, columns, place, out, stride)) return;
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t c = 0; c < columns; ++c) out[place[c] * stride + r] = rows[r * columns + c];
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::data {

HWY_EXPORT(standardise_column);
HWY_EXPORT(standardise_row);
HWY_EXPORT(flag_missing);
HWY_EXPORT(transpose_rows);

bool standardise_column(const Standardised& by, const float* x, std::size_t count, float* values) {
  return HWY_DYNAMIC_DISPATCH(standardise_column)(by, x, count, values);
}

bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values) {
  return HWY_DYNAMIC_DISPATCH(standardise_row)(means, inverses, x, count, values);
}

void flag_missing(const float* x, std::size_t count, float* flags) {
  HWY_DYNAMIC_DISPATCH(flag_missing)(x, count, flags);
}

void transpose_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                    std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(transpose_rows)(rows, count, columns, place, out, stride);
}

}  // namespace accrete::data
#endif
