#include "accrete/network/predict_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/predict_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "accrete/network/activate-inl.hpp"
#include "accrete/network/one_output-inl.hpp"
#include "hwy/highway.h"

#ifndef ACCRETE_NETWORK_PREDICT_TASK
#define ACCRETE_NETWORK_PREDICT_TASK
namespace accrete::network {

/// One group, or a part of it, over one tile.
struct GroupTask {
  const float* tile;  ///< features x tile_rows
  std::size_t tile_rows;
  std::size_t features, outputs, units;
  const float* lanes;           ///< from the first unit's bias on, as in UnitLanes
  const float* output_weights;  ///< units x outputs
  std::size_t activation;
  float* open;  ///< outputs x tile_rows
};

}  // namespace accrete::network
#endif

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

// A strip of rows is as many vectors as there are registers for: 4 units x 4 vectors of sums where there are 32
// registers, 4 x 2 where there are 16. A group's hidden outputs on a strip are at most 4 KiB.
#undef ACCRETE_MANY_REGISTERS
#define ACCRETE_MANY_REGISTERS (HWY_ARCH_ARM || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3))
inline constexpr std::size_t strip_vectors = ACCRETE_MANY_REGISTERS ? 4 : 2;
inline constexpr std::size_t most_strip_rows = 16 * strip_vectors;

/// Four units on a strip: hidden[u * strip rows + r] = act(bias + weights . x). Past the last unit whatever lies there
/// is computed with, so that there is one loop only; hidden has room for it.
template <class Formula>
HWY_ATTR HWY_INLINE void hidden_strip(Formula f, const GroupTask& t, std::size_t unit, std::size_t row, float* hidden) {
  const UnitTag d;
  const std::size_t n = hn::Lanes(d);
  const float *w = t.lanes + unit, *x = t.tile + row;
  auto s00 = hn::Set(d, w[0]), s10 = hn::Set(d, w[1]), s20 = hn::Set(d, w[2]), s30 = hn::Set(d, w[3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
#if ACCRETE_MANY_REGISTERS
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30, s03 = s00, s13 = s10, s23 = s20, s33 = s30;
#endif
#pragma GCC unroll 1  // the compiler's order of the products of several features is worse
  for (std::size_t p = 0; p < t.features; ++p, x += t.tile_rows) {
    w += UnitLanes::width;
    const auto v = four_weights(w);
    const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n);
    s00 = add_product<0>(v, w, x0, s00), s01 = add_product<0>(v, w, x1, s01);
    s10 = add_product<1>(v, w, x0, s10), s11 = add_product<1>(v, w, x1, s11);
    s20 = add_product<2>(v, w, x0, s20), s21 = add_product<2>(v, w, x1, s21);
    s30 = add_product<3>(v, w, x0, s30), s31 = add_product<3>(v, w, x1, s31);
#if ACCRETE_MANY_REGISTERS
    const auto x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
    s02 = add_product<0>(v, w, x2, s02), s03 = add_product<0>(v, w, x3, s03);
    s12 = add_product<1>(v, w, x2, s12), s13 = add_product<1>(v, w, x3, s13);
    s22 = add_product<2>(v, w, x2, s22), s23 = add_product<2>(v, w, x3, s23);
    s32 = add_product<3>(v, w, x2, s32), s33 = add_product<3>(v, w, x3, s33);
#endif
  }
  const std::size_t rows = n * strip_vectors;
  float *h0 = hidden, *h1 = h0 + rows, *h2 = h1 + rows, *h3 = h2 + rows;
  const auto put = [&](UnitVector sum, float* to) HWY_ATTR {
    if constexpr (activate_apart<Formula>)
      hn::Store(sum, d, to);
    else
      hn::Store(activated(f, sum), d, to);
  };
  put(s00, h0), put(s01, h0 + n), put(s10, h1), put(s11, h1 + n);
  put(s20, h2), put(s21, h2 + n), put(s30, h3), put(s31, h3 + n);
#if ACCRETE_MANY_REGISTERS
  put(s02, h0 + 2 * n), put(s03, h0 + 3 * n), put(s12, h1 + 2 * n), put(s13, h1 + 3 * n);
  put(s22, h2 + 2 * n), put(s23, h2 + 3 * n), put(s32, h3 + 2 * n), put(s33, h3 + 3 * n);
#endif
}

/// open[k] += sum over the units of output_weights * hidden, on a strip. Whole vectors of the strip go side by side,
/// since each sum waits for its own multiply-adds.
HWY_ATTR HWY_INLINE void add_outputs(const GroupTask& t, std::size_t row, const float* hidden) {
  const UnitTag d;
  const std::size_t n = hn::Lanes(d), rows = n * strip_vectors;
  for (std::size_t k = 0; k < t.outputs; ++k) {
    float* out = t.open + k * t.tile_rows + row;
    const float *w = t.output_weights + k, *h = hidden;
    auto s0 = hn::Load(d, out), s1 = hn::Load(d, out + n);
#if ACCRETE_MANY_REGISTERS
    auto s2 = hn::Load(d, out + 2 * n), s3 = hn::Load(d, out + 3 * n);
#endif
    for (std::size_t u = 0; u < t.units; ++u, w += t.outputs, h += rows) {
      const auto v = hn::Set(d, *w);
      s0 = hn::MulAdd(v, hn::Load(d, h), s0), s1 = hn::MulAdd(v, hn::Load(d, h + n), s1);
#if ACCRETE_MANY_REGISTERS
      s2 = hn::MulAdd(v, hn::Load(d, h + 2 * n), s2), s3 = hn::MulAdd(v, hn::Load(d, h + 3 * n), s3);
#endif
    }
    hn::Store(s0, d, out), hn::Store(s1, d, out + n);
#if ACCRETE_MANY_REGISTERS
    hn::Store(s2, d, out + 2 * n), hn::Store(s3, d, out + 3 * n);
#endif
  }
}

template <class Formula>
HWY_ATTR void add_group_by(Formula f, const GroupTask& t) {
  alignas(64) float hidden[group_units * most_strip_rows];
  const std::size_t rows = hn::Lanes(UnitTag()) * strip_vectors;
  for (std::size_t row = 0; row < t.tile_rows; row += rows) {
    for (std::size_t u = 0; u < t.units; u += 4) hidden_strip(f, t, u, row, hidden + u * rows);
    if constexpr (activate_apart<Formula>) activate_run(f, hidden, t.units * rows);
    add_outputs(t, row, hidden);
  }
}

void add_group(const GroupTask& t) {
  activation::All::visit(t.activation, [&](auto formula) { add_group_by(formula, t); });
}

void close_group(float* open, double* closed, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) closed[i] += static_cast<double>(open[i]);
  std::fill_n(open, count, 0.0f);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(add_group);
HWY_EXPORT(close_group);

static_assert(group_units == UnitLanes::width);

void add_units(const Network& network, const float* tile, std::size_t tile_rows, std::size_t from, std::size_t to,
               TileSums sums) {
  const std::size_t features = network.features(), outputs = network.outputs();
  for (std::size_t next; from < to; from = next) {
    const std::size_t group_end = from / group_units * group_units + group_units;
    next = std::min(to, group_end);
    HWY_DYNAMIC_DISPATCH(add_group)
    ({tile, tile_rows, features, outputs, next - from, network.lanes().group(from / group_units) + from % group_units,
      network.output_weights().data() + from * outputs, network.activation().index, sums.open});
    if (next == group_end) HWY_DYNAMIC_DISPATCH(close_group)(sums.open, sums.closed, outputs * tile_rows);
  }
}

}  // namespace accrete::network
#endif
