#include "accrete/data/standardise_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/data/standardise_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The loops over numbers are left to the compiler: they have no branch and no sum.

inline int is_infinite(float x) {
  return std::abs(x) > std::numeric_limits<float>::max();
}

inline float standardised(double mean, double inverse, float x) {
  const auto value = static_cast<float>((static_cast<double>(x) - mean) * inverse);
  return x == x ? value : 0.0f;
}

bool standardise_column(const Standard& by, const float* x, std::size_t count, float* values, float* gaps) {
  const double mean = by.mean, inverse = by.inverse;
  int infinite = 0;
  for (std::size_t i = 0; i < count; ++i) infinite |= is_infinite(x[i]);
  if (gaps)
    for (std::size_t i = 0; i < count; ++i) gaps[i] = x[i] == x[i] ? 0.0f : 1.0f;
  for (std::size_t i = 0; i < count; ++i) values[i] = standardised(mean, inverse, x[i]);
  return !infinite;
}

bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values) {
  int infinite = 0;
  for (std::size_t i = 0; i < count; ++i) infinite |= is_infinite(x[i]);
  for (std::size_t i = 0; i < count; ++i) values[i] = standardised(means[i], inverses[i], x[i]);
  return !infinite;
}

/// Four rows by four columns.
HWY_ATTR inline void spread_block(const float* rows, std::size_t columns, const std::size_t* place, float* out,
                                  std::size_t stride) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t r = 0; r < 4; ++r) out[place[c] * stride + r] = rows[r * columns + c];
#else
  const hn::FixedTag<float, 4> d;
  const auto a = hn::LoadU(d, rows), b = hn::LoadU(d, rows + columns), c = hn::LoadU(d, rows + 2 * columns),
             e = hn::LoadU(d, rows + 3 * columns);
  const auto ab01 = hn::InterleaveLower(d, a, b), ab23 = hn::InterleaveUpper(d, a, b);
  const auto ce01 = hn::InterleaveLower(d, c, e), ce23 = hn::InterleaveUpper(d, c, e);
  hn::StoreU(hn::ConcatLowerLower(d, ce01, ab01), d, out + place[0] * stride);
  hn::StoreU(hn::ConcatUpperUpper(d, ce01, ab01), d, out + place[1] * stride);
  hn::StoreU(hn::ConcatLowerLower(d, ce23, ab23), d, out + place[2] * stride);
  hn::StoreU(hn::ConcatUpperUpper(d, ce23, ab23), d, out + place[3] * stride);
#endif
}

void spread_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                 std::size_t stride) {
  if (count < 4 || columns < 4) {
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t c = 0; c < columns; ++c) out[place[c] * stride + r] = rows[r * columns + c];
    return;
  }
  // The last block begins earlier where four do not divide: it writes some places twice, with the same numbers.
  for (std::size_t i = 0; i < count; i += 4) {
    const std::size_t r = std::min(i, count - 4);
    for (std::size_t j = 0; j < columns; j += 4) {
      const std::size_t c = std::min(j, columns - 4);
      spread_block(rows + r * columns + c, columns, place + c, out + r, stride);
    }
  }
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::data {

HWY_EXPORT(standardise_column);
HWY_EXPORT(standardise_row);
HWY_EXPORT(spread_rows);

bool standardise_column(const Standard& by, const float* x, std::size_t count, float* values, float* gaps) {
  return HWY_DYNAMIC_DISPATCH(standardise_column)(by, x, count, values, gaps);
}

bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values) {
  return HWY_DYNAMIC_DISPATCH(standardise_row)(means, inverses, x, count, values);
}

void spread_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                 std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(spread_rows)(rows, count, columns, place, out, stride);
}

}  // namespace accrete::data
#endif
