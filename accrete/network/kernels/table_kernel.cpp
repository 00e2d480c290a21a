#include "accrete/network/kernels/table_kernel.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/table_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/network/kernels/activate-inl.hpp"
#include "accrete/network/kernels/exact_activation-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// Rows whose hidden outputs of one group fit on the stack.
inline constexpr std::size_t strip_rows = 32;

/// Weighted inputs of one row for `vectors` vectors of units, whose biases are at `group`. The value of a piecewise
/// column is computed first and then added as one float, so the sum is monotone in that value. Linear columns have
/// their own accumulators, which shortens the dependency chain.
template <int vectors>
HWY_ATTR HWY_INLINE void sum_row(const PredictTables::Layout& t, const float* group, const TableCode* code,
                                 float* hidden) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  constexpr std::size_t w = PredictTables::width;
  auto b0 = hn::Load(d, group), b1 = b0, b2 = b0, b3 = b0;
  if constexpr (vectors > 1) b1 = hn::Load(d, group + n);
  if constexpr (vectors > 2) b2 = hn::Load(d, group + 2 * n), b3 = hn::Load(d, group + 3 * n);
  auto r0 = hn::Zero(d), r1 = r0, r2 = r0, r3 = r0;
  const auto add_bases = [&](const float* base) HWY_ATTR {
    b0 = hn::Add(b0, hn::Load(d, base));
    if constexpr (vectors > 1) b1 = hn::Add(b1, hn::Load(d, base + n));
    if constexpr (vectors > 2) b2 = hn::Add(b2, hn::Load(d, base + 2 * n)), b3 = hn::Add(b3, hn::Load(d, base + 3 * n));
  };
  const auto add_rises = [&](const float* rise, float position) HWY_ATTR {
    const auto x = hn::Set(d, position);
    r0 = hn::MulAdd(hn::Load(d, rise), x, r0);
    if constexpr (vectors > 1) r1 = hn::MulAdd(hn::Load(d, rise + n), x, r1);
    if constexpr (vectors > 2)
      r2 = hn::MulAdd(hn::Load(d, rise + 2 * n), x, r2), r3 = hn::MulAdd(hn::Load(d, rise + 3 * n), x, r3);
  };
  const auto add_values = [&](const float* base, float position) HWY_ATTR {
    const auto x = hn::Set(d, position);
    const float* rise = base + w;
    b0 = hn::Add(b0, hn::MulAdd(hn::Load(d, rise), x, hn::Load(d, base)));
    if constexpr (vectors > 1) b1 = hn::Add(b1, hn::MulAdd(hn::Load(d, rise + n), x, hn::Load(d, base + n)));
    if constexpr (vectors > 2) {
      b2 = hn::Add(b2, hn::MulAdd(hn::Load(d, rise + 2 * n), x, hn::Load(d, base + 2 * n)));
      b3 = hn::Add(b3, hn::MulAdd(hn::Load(d, rise + 3 * n), x, hn::Load(d, base + 3 * n)));
    }
  };
  const float* weights = group + w;
  for (const TableCode* end = code + t.linear; code < end; ++code, weights += w) add_rises(weights, code->position);
  for (const TableCode* end = code + t.piecewise; code < end; ++code) add_values(group + code->entry, code->position);
  for (const TableCode* end = code + t.levels; code < end; ++code) add_bases(group + code->entry);
  hn::Store(hn::Add(b0, r0), d, hidden);
  if constexpr (vectors > 1) hn::Store(hn::Add(b1, r1), d, hidden + n);
  if constexpr (vectors > 2)
    hn::Store(hn::Add(b2, r2), d, hidden + 2 * n), hn::Store(hn::Add(b3, r3), d, hidden + 3 * n);
}

/// The same for all vectors of a group.
template <int vectors>
HWY_ATTR HWY_INLINE void sum_rows(const PredictTables::Layout& t, const float* group, const TableCode* codes,
                                  std::size_t rows, float* hidden) {
  constexpr std::size_t w = PredictTables::width;
  const std::size_t columns = t.columns(), units = vectors * hn::Lanes(FloatTag());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t u = 0; u < w; u += units) sum_row<vectors>(t, group + u, codes + r * columns, hidden + r * w + u);
}

/// score[r] += output weights . hidden outputs, in float within the group.
HWY_ATTR HWY_INLINE void add_table_outputs(const float* weights, const float* hidden, std::size_t rows,
                                           double* scores) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  constexpr std::size_t w = PredictTables::width;
  for (std::size_t r = 0; r < rows; ++r, hidden += w) {
    auto sum = hn::Mul(hn::Load(d, hidden), hn::Load(d, weights));
    for (std::size_t u = n; u < w; u += n) sum = hn::MulAdd(hn::Load(d, hidden + u), hn::Load(d, weights + u), sum);
    scores[r] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
}

template <class Formula>
HWY_ATTR void add_table_group(Formula f, const PredictTables::Layout& t, std::size_t from, std::size_t to,
                              const CodedRows& all) {
  constexpr std::size_t w = PredictTables::width;
  alignas(64) float hidden[strip_rows * w];
  const std::size_t n = hn::Lanes(FloatTag());
  const float* group = t.values + from / w * t.group_size;
  const std::size_t skipped = from % w, units = skipped + to - from;
  for (std::size_t first = 0; first < all.rows; first += strip_rows) {
    const std::size_t rows = std::min(strip_rows, all.rows - first);
    const TableCode* codes = all.codes + first * t.columns();
    if (4 * n <= w)
      sum_rows<4>(t, group, codes, rows, hidden);
    else if (2 * n <= w)
      sum_rows<2>(t, group, codes, rows, hidden);
    else
      sum_rows<1>(t, group, codes, rows, hidden);
    activate_array(f, hidden, rows * w);
    // Clear units before the range, and units after it or padding.
    for (std::size_t r = 0; r < rows && skipped > 0; ++r) std::fill_n(hidden + r * w, skipped, 0.0f);
    if (units < w)
      for (std::size_t r = 0; r < rows; ++r) std::fill(hidden + r * w + units, hidden + (r + 1) * w, 0.0f);
    const float* weights = group + t.group_size - t.outputs * w;
    for (std::size_t k = 0; k < t.outputs; ++k)
      add_table_outputs(weights + k * w, hidden, rows, all.scores + k * all.stride + first);
  }
}

void add_table_units(const PredictTables::Layout& t, std::size_t from, std::size_t to, const CodedRows& rows) {
  constexpr std::size_t w = PredictTables::width;
  visit_activation(t.activation, t.exact_activation, [&](auto formula) {
    for (std::size_t first = from, next; first < to; first = next) {
      next = std::min(to, first / w * w + w);
      add_table_group(formula, t, first, next, rows);
    }
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(add_table_units);

void add_table_units(const PredictTables& tables, std::size_t from, std::size_t to, const CodedRows& rows) {
  const core::FlushDenormals flush;
  HWY_DYNAMIC_DISPATCH(add_table_units)(tables.layout(), from, to, rows);
}

}  // namespace accrete::network
#endif
