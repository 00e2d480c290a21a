#include "accrete/network/kernels/predict_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/predict_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/network/kernels/activate-inl.hpp"
#include "accrete/network/kernels/dense_ops-inl.hpp"
#include "accrete/network/kernels/exact_activation-inl.hpp"
#include "hwy/highway.h"

#ifndef ACCRETE_NETWORK_PREDICT_ARGS
#define ACCRETE_NETWORK_PREDICT_ARGS
namespace accrete::network {

/// A group of units, or part of one, over one tile.
struct GroupArgs {
  const float* tile;  ///< features x tile_rows; null: the rows are sparse
  std::size_t tile_rows;
  std::size_t features, outputs, units;
  const float* weights;         ///< in InterleavedWeights, at the bias of the first unit
  const float* output_weights;  ///< units x outputs
  std::size_t activation;
  bool exact_activation;
  float* partial_group;  ///< outputs x tile_rows, as in TileSums
  const SparseRange* sparse = nullptr;
  std::size_t first_unit = 0;  ///< index of the first unit within its group
};

}  // namespace accrete::network
#endif

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

// Rows are processed in strips of strip_vectors vectors. The register block is 4 units x strip_vectors: 4 x 4
// accumulators with 32 vector registers, 4 x 2 with 16. The hidden outputs of a group on a strip take at most 4 KiB.
#undef ACCRETE_HAS_32_REGISTERS
#define ACCRETE_HAS_32_REGISTERS (HWY_ARCH_ARM || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3))
inline constexpr std::size_t strip_vectors = ACCRETE_HAS_32_REGISTERS ? 4 : 2;
inline constexpr std::size_t max_strip_rows = line_floats * strip_vectors;

/// Four units on a strip: hidden[u * strip rows + r] = act(bias + weights . x). A last block of fewer units also
/// computes the padding after them, which is ignored; hidden has space for it.
template <class Formula>
HWY_ATTR HWY_INLINE void compute_hidden_strip(Formula f, const GroupArgs& t, std::size_t unit, std::size_t row,
                                              float* hidden) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float *w = t.weights + unit, *x = t.tile + row;
  auto s00 = hn::Set(d, w[0]), s10 = hn::Set(d, w[1]), s20 = hn::Set(d, w[2]), s30 = hn::Set(d, w[3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
#if ACCRETE_HAS_32_REGISTERS
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30, s03 = s00, s13 = s10, s23 = s20, s33 = s30;
#endif
#pragma GCC unroll 1  // unrolled, the compiler schedules the products worse
  for (std::size_t p = 0; p < t.features; ++p, x += t.tile_rows) {
    w += InterleavedWeights::width;
    const auto v = load_four_weights(w);
    const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n);
    s00 = mul_add_weight<0>(v, w, x0, s00), s01 = mul_add_weight<0>(v, w, x1, s01);
    s10 = mul_add_weight<1>(v, w, x0, s10), s11 = mul_add_weight<1>(v, w, x1, s11);
    s20 = mul_add_weight<2>(v, w, x0, s20), s21 = mul_add_weight<2>(v, w, x1, s21);
    s30 = mul_add_weight<3>(v, w, x0, s30), s31 = mul_add_weight<3>(v, w, x1, s31);
#if ACCRETE_HAS_32_REGISTERS
    const auto x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
    s02 = mul_add_weight<0>(v, w, x2, s02), s03 = mul_add_weight<0>(v, w, x3, s03);
    s12 = mul_add_weight<1>(v, w, x2, s12), s13 = mul_add_weight<1>(v, w, x3, s13);
    s22 = mul_add_weight<2>(v, w, x2, s22), s23 = mul_add_weight<2>(v, w, x3, s23);
    s32 = mul_add_weight<3>(v, w, x2, s32), s33 = mul_add_weight<3>(v, w, x3, s33);
#endif
  }
  const std::size_t rows = n * strip_vectors;
  float *h0 = hidden, *h1 = h0 + rows, *h2 = h1 + rows, *h3 = h2 + rows;
  const auto store = [&](FloatVector sum, float* to) HWY_ATTR {
    if constexpr (activates_separately<Formula>)
      hn::Store(sum, d, to);
    else
      hn::Store(activate(f, sum), d, to);
  };
  store(s00, h0), store(s01, h0 + n), store(s10, h1), store(s11, h1 + n);
  store(s20, h2), store(s21, h2 + n), store(s30, h3), store(s31, h3 + n);
#if ACCRETE_HAS_32_REGISTERS
  store(s02, h0 + 2 * n), store(s03, h0 + 3 * n), store(s12, h1 + 2 * n), store(s13, h1 + 3 * n);
  store(s22, h2 + 2 * n), store(s23, h2 + 3 * n), store(s32, h3 + 2 * n), store(s33, h3 + 3 * n);
#endif
}

/// All units on a strip of sparse rows, without activation: hidden[u * strip rows + r] = bias + weights . x. The
/// weights of a group's units are contiguous for each feature, so one entry is multiplied by all of them.
HWY_ATTR HWY_INLINE void compute_sparse_strip(const GroupArgs& t, std::size_t row, std::size_t strip_rows,
                                              float* hidden) {
  constexpr std::size_t width = InterleavedWeights::width;
  const hn::CappedTag<float, 4> d;  // 16 units are four vectors of four in every instruction set
  const SparseRange& range = *t.sparse;
  const float* group = t.weights - t.first_unit;
  alignas(64) float sums[width];
  const std::size_t count = row < range.count ? std::min(strip_rows, range.count - row) : 0;
  for (std::size_t r = 0; r < count; ++r) {
    auto s0 = hn::LoadU(d, group), s1 = hn::LoadU(d, group + 4), s2 = hn::LoadU(d, group + 8);
    auto s3 = hn::LoadU(d, group + 12);
    const std::size_t at = range.first + row + r;
    for (std::size_t e = range.rows.starts[at]; e < range.rows.starts[at + 1]; ++e) {
      const float* w = group + (1 + range.rows.indices[e]) * width;
      const auto x = hn::Set(d, range.rows.values[e]);
      s0 = hn::MulAdd(hn::LoadU(d, w), x, s0), s1 = hn::MulAdd(hn::LoadU(d, w + 4), x, s1);
      s2 = hn::MulAdd(hn::LoadU(d, w + 8), x, s2), s3 = hn::MulAdd(hn::LoadU(d, w + 12), x, s3);
    }
    hn::StoreU(s0, d, sums), hn::StoreU(s1, d, sums + 4), hn::StoreU(s2, d, sums + 8), hn::StoreU(s3, d, sums + 12);
    for (std::size_t u = 0; u < t.units; ++u) hidden[u * strip_rows + r] = sums[t.first_unit + u];
  }
  for (std::size_t u = 0; u < t.units; ++u)
    std::fill(hidden + u * strip_rows + count, hidden + (u + 1) * strip_rows, 0.0f);
}

/// partial_group[k] += sum over the units of output_weights * hidden, on a strip. The vectors of the strip are
/// independent accumulators, which hides multiply-add latency.
HWY_ATTR HWY_INLINE void add_outputs(const GroupArgs& t, std::size_t row, const float* hidden) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), rows = n * strip_vectors;
  for (std::size_t k = 0; k < t.outputs; ++k) {
    float* out = t.partial_group + k * t.tile_rows + row;
    const float *w = t.output_weights + k, *h = hidden;
    auto s0 = hn::Load(d, out), s1 = hn::Load(d, out + n);
#if ACCRETE_HAS_32_REGISTERS
    auto s2 = hn::Load(d, out + 2 * n), s3 = hn::Load(d, out + 3 * n);
#endif
    for (std::size_t u = 0; u < t.units; ++u, w += t.outputs, h += rows) {
      const auto v = hn::Set(d, *w);
      s0 = hn::MulAdd(v, hn::Load(d, h), s0), s1 = hn::MulAdd(v, hn::Load(d, h + n), s1);
#if ACCRETE_HAS_32_REGISTERS
      s2 = hn::MulAdd(v, hn::Load(d, h + 2 * n), s2), s3 = hn::MulAdd(v, hn::Load(d, h + 3 * n), s3);
#endif
    }
    hn::Store(s0, d, out), hn::Store(s1, d, out + n);
#if ACCRETE_HAS_32_REGISTERS
    hn::Store(s2, d, out + 2 * n), hn::Store(s3, d, out + 3 * n);
#endif
  }
}

template <class Formula>
HWY_ATTR void add_group_with(Formula f, const GroupArgs& t) {
  alignas(64) float hidden[group_units * max_strip_rows];
  const std::size_t rows = hn::Lanes(FloatTag()) * strip_vectors;
  for (std::size_t row = 0; row < t.tile_rows; row += rows) {
    if (t.sparse) {
      compute_sparse_strip(t, row, rows, hidden);
      activate_array(f, hidden, t.units * rows);
    } else {
      for (std::size_t u = 0; u < t.units; u += 4) compute_hidden_strip(f, t, u, row, hidden + u * rows);
      if constexpr (activates_separately<Formula>) activate_array(f, hidden, t.units * rows);
    }
    add_outputs(t, row, hidden);
  }
}

void add_group(const GroupArgs& t) {
  visit_activation(t.activation, t.exact_activation, [&](auto formula) { add_group_with(formula, t); });
}

/// Adds the float sums of a finished group to the double sums.
void flush_group(float* partial_group, double* full_groups, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) full_groups[i] += static_cast<double>(partial_group[i]);
  std::fill_n(partial_group, count, 0.0f);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(add_group);
HWY_EXPORT(flush_group);

static_assert(group_units == InterleavedWeights::width);

namespace {

/// Reads a dense tile, or sparse rows if tile is null.
void add_units_of(const Network& network, const float* tile, const SparseRange* sparse, std::size_t tile_rows,
                  std::size_t from, std::size_t to, TileSums sums) {
  const std::size_t features = network.features(), outputs = network.outputs();
  for (std::size_t next; from < to; from = next) {
    const std::size_t group_end = from / group_units * group_units + group_units;
    next = std::min(to, group_end);
    HWY_DYNAMIC_DISPATCH(add_group)
    ({.tile = tile,
      .tile_rows = tile_rows,
      .features = features,
      .outputs = outputs,
      .units = next - from,
      .weights = network.interleaved().group(from / group_units) + from % group_units,
      .output_weights = network.output_weights().data() + from * outputs,
      .activation = network.activation().index,
      .exact_activation = network.exact_activation(),
      .partial_group = sums.partial_group,
      .sparse = sparse,
      .first_unit = from % group_units});
    if (next == group_end) HWY_DYNAMIC_DISPATCH(flush_group)(sums.partial_group, sums.full_groups, outputs * tile_rows);
  }
}

}  // namespace

void add_units(const Network& network, const float* tile, std::size_t tile_rows, std::size_t from, std::size_t to,
               TileSums sums) {
  add_units_of(network, tile, nullptr, tile_rows, from, to, sums);
}

void add_units(const Network& network, const SparseRange& range, std::size_t tile_rows, std::size_t from,
               std::size_t to, TileSums sums) {
  add_units_of(network, nullptr, &range, tile_rows, from, to, sums);
}

}  // namespace accrete::network
#endif
