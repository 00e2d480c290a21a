#include "accrete/backend/kernels/sparse_gradient_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/kernels/sparse_gradient_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <algorithm>

#include "accrete/network/kernels/lookup-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Number of entries summed in float before the sum is added in double.
constexpr std::size_t float_entries = 512;

/// Adds entries begin .. end - 1 of a column to sums, for `vectors` vectors of units from q on. Two entries at a time
/// hide the latency of the additions.
template <std::size_t lanes, std::size_t vectors>
HWY_ATTR inline void add_entries(const SparseGradient& args, std::size_t begin, std::size_t end, std::size_t q,
                                 double* sums) {
  const hn::CappedTag<float, lanes> d;
  const data::SparseRows& columns = args.layer.block().by_column;
  const std::size_t width = args.layer.width();
  const float* deltas = args.deltas + q;
  auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
  const auto add = [&](std::size_t e, auto& s0, auto& s1, auto& s2, auto& s3) HWY_ATTR {
    const float* from = deltas + columns.indices[e] * width;
    const auto x = hn::Set(d, columns.values[e]);
    s0 = hn::MulAdd(hn::LoadU(d, from), x, s0);
    if constexpr (vectors > 1) s1 = hn::MulAdd(hn::LoadU(d, from + lanes), x, s1);
    if constexpr (vectors > 2) s2 = hn::MulAdd(hn::LoadU(d, from + 2 * lanes), x, s2);
    if constexpr (vectors > 2) s3 = hn::MulAdd(hn::LoadU(d, from + 3 * lanes), x, s3);
  };
  std::size_t e = begin;
  for (; e + 2 <= end; e += 2) add(e, a0, a1, a2, a3), add(e + 1, b0, b1, b2, b3);
  if (e < end) add(e, a0, a1, a2, a3);
  HWY_ALIGN float total[lanes * 4];
  hn::StoreU(hn::Add(a0, b0), d, total), hn::StoreU(hn::Add(a1, b1), d, total + lanes);
  hn::StoreU(hn::Add(a2, b2), d, total + 2 * lanes), hn::StoreU(hn::Add(a3, b3), d, total + 3 * lanes);
  for (std::size_t j = 0; j < lanes * vectors; ++j) sums[j] += static_cast<double>(total[j]);
}

void write_gradient(const SparseGradient& args, std::size_t first, std::size_t last) {
  const data::SparseRows& columns = args.layer.block().by_column;
  for (std::size_t i = first; i < last; ++i) {
    const auto [feature, column] = args.layer.features()[i];
    const std::size_t begin = columns.starts[column], end = columns.starts[column + 1];
    network::HWY_NAMESPACE::for_unit_vectors(
        args.layer.width(), [&, feature = feature](std::size_t q, auto lanes, auto vectors) HWY_ATTR {
          double sums[lanes() * vectors()] = {};
          for (std::size_t e = begin; e < end; e += float_entries)
            add_entries<lanes(), vectors()>(args, e, std::min(end, e + float_entries), q, sums);
          const std::size_t units = std::min(lanes() * vectors(), args.layer.units() - q);
          for (std::size_t j = 0; j < units; ++j) args.gradient[(q + j) * args.block_features + feature] = sums[j];
        });
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(write_gradient);

void write_sparse_gradient(const SparseGradient& args, std::size_t first, std::size_t last) {
  HWY_DYNAMIC_DISPATCH(write_gradient)(args, first, last);
}

}  // namespace accrete::backend
#endif
