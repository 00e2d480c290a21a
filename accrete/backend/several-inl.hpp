// Several inputs against one error, or several errors against one input, over a tile of rows: the part of
// backend/accumulate-inl.hpp where every multiply-add needs a load of its own.

#if defined(ACCRETE_BACKEND_SEVERAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_SEVERAL_INL_HPP
#undef ACCRETE_BACKEND_SEVERAL_INL_HPP
#else
#define ACCRETE_BACKEND_SEVERAL_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/network/one_output-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, lane_run>;

/// Vectors of lane_run floats, 32 registers for them, and arrays of them.
#undef ACCRETE_LONG_VECTORS
#define ACCRETE_LONG_VECTORS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
inline constexpr bool long_vectors = ACCRETE_LONG_VECTORS;
/// May so many errors' first tile find their sums as they happen to be?
inline bool begins_at_zero(std::size_t errors) {
  return long_vectors && errors != 2;
}

/// What is read next lies a tile away from what is read now and is fetched line by line: of each input the line that
/// belongs to the rows at hand, or, of neighbours, all in the order of their addresses.
enum class Fetch { nothing, apart, in_order };

/// Beside the rows from r on, as many lines as there are inputs; x0: the first of them. On x86 they go to the
/// second-level cache: the first has no room for two tiles.
template <Fetch fetch, std::size_t count>
HWY_ATTR HWY_INLINE void fetch_lines(const float* const* in, const float* x0, std::size_t r, std::size_t ahead) {
  constexpr int closeness = HWY_ARCH_X86 ? 2 : 3;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (fetch == Fetch::apart) __builtin_prefetch(in[i] + r + ahead, 0, closeness);
    if constexpr (fetch == Fetch::in_order) __builtin_prefetch(x0 + r * count + i * lane_run + ahead, 0, closeness);
  }
}

/// sums[(p * errors + q) * lanes + lane], for all inputs p and errors q; error_q = errors_at + q * stride.
struct Accumulate {
  const float* const* in;
  std::size_t inputs;
  const float* errors_at;
  std::size_t errors;
  std::size_t rows;
  std::size_t stride;
  float* sums;
  std::size_t ahead = 0;  ///< so many floats after an input lies what is read next, to be fetched meanwhile; 0: do not
  bool neighbours = false;  ///< each input lies right behind the one before it
  bool first = false;       ///< sums begin at zero, whatever they are, where begins_at_zero
  // Where vectors are longest, tiles after the first one go along: so many, the last of so many rows, and how far it is
  // from the inputs and the errors of one tile to the next one's.
  std::size_t more = 0, last_rows = 0, to_inputs = 0, to_errors = 0;
};

/// A loaded vector that stays in its register: the compiler would rather load it again for every use, and loads are
/// what these loops have fewest to spare of.
template <class V>
HWY_ATTR HWY_INLINE V held(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Several against one: either side of the product may be the many.
inline constexpr std::size_t most_many = 7;
struct Many {
  const float* const* many;
  const float* one;
  float* sums;       ///< of the first of them
  std::size_t step;  ///< to the next one's
  std::size_t rows;
  std::size_t ahead;  ///< as in Accumulate, from each of the many
};

/// sum += x * error over the vectors of a line: two or one where they are long, else the four that fill it.
template <class V>
HWY_ATTR HWY_INLINE void add_line(const float* x, V e0, V e1, V e2, V e3, V& sum) {
  using network::HWY_NAMESPACE::load_two;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  auto a = e0, b = e0;
  if (n == lane_run) {
    sum = hn::MulAdd(hn::Load(d, x), e0, sum);
  } else {
    load_two<0>(x, a, b), sum = hn::MulAdd(b, e1, hn::MulAdd(a, e0, sum));
    if (4 * n <= lane_run) load_two<2>(x, a, b), sum = hn::MulAdd(b, e3, hn::MulAdd(a, e2, sum));
  }
}

/// The first `count` of them.
template <Fetch fetch, std::size_t count>
HWY_ATTR inline void accumulate_many(const Many& m) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d), ahead = m.ahead, rows = m.rows;
  const auto place = [](std::size_t i) { return i < count ? i : 0; };
  const float *x0 = m.many[0], *x1 = m.many[place(1)], *x2 = m.many[place(2)], *x3 = m.many[place(3)];
  const float *x4 = m.many[place(4)], *x5 = m.many[place(5)], *x6 = m.many[place(6)], *one = m.one;
  float *t0 = m.sums, *t1 = t0 + place(1) * m.step, *t2 = t0 + place(2) * m.step, *t3 = t0 + place(3) * m.step;
  float *t4 = t0 + place(4) * m.step, *t5 = t0 + place(5) * m.step, *t6 = t0 + place(6) * m.step;
  auto s0 = hn::Load(d, t0), s1 = hn::Load(d, t1), s2 = hn::Load(d, t2), s3 = hn::Load(d, t3);
  auto s4 = hn::Load(d, t4), s5 = hn::Load(d, t5), s6 = hn::Load(d, t6);
  const std::size_t line = 4 * n < lane_run ? 4 * n : lane_run;  // shorter only without vectors
  for (std::size_t r = 0; r < rows; r += line) {
    const auto e0 = hn::Load(d, one + r), e1 = hn::Load(d, one + r + (n < lane_run ? n : 0));
    const auto e2 = 4 * n <= lane_run ? hn::Load(d, one + r + 2 * n) : e0;
    const auto e3 = 4 * n <= lane_run ? hn::Load(d, one + r + 3 * n) : e1;
    fetch_lines<fetch, count>(m.many, x0, r, ahead);
    const auto add = [&](const float* x, auto& sum) HWY_ATTR { add_line(x + r, e0, e1, e2, e3, sum); };
    add(x0, s0);
    if constexpr (count > 1) add(x1, s1);
    if constexpr (count > 2) add(x2, s2);
    if constexpr (count > 3) add(x3, s3);
    if constexpr (count > 4) add(x4, s4);
    if constexpr (count > 5) add(x5, s5);
    if constexpr (count > 6) add(x6, s6);
  }
  hn::Store(s0, d, t0);
  if constexpr (count > 1) hn::Store(s1, d, t1);
  if constexpr (count > 2) hn::Store(s2, d, t2);
  if constexpr (count > 3) hn::Store(s3, d, t3);
  if constexpr (count > 4) hn::Store(s4, d, t4);
  if constexpr (count > 5) hn::Store(s5, d, t5);
  if constexpr (count > 6) hn::Store(s6, d, t6);
}

template <Fetch fetch>
HWY_ATTR inline void accumulate_so_many(const Many& m, std::size_t count) {
  switch (count) {
    case 2:
      return accumulate_many<fetch, 2>(m);
    case 3:
      return accumulate_many<fetch, 3>(m);
    case 4:
      return accumulate_many<fetch, 4>(m);
    case 5:
      return accumulate_many<fetch, 5>(m);
    case 6:
      return accumulate_many<fetch, 6>(m);
    default:
      return accumulate_many<fetch, most_many>(m);
  }
}

/// How many of `left` go together: as few groups as there can be, equally large but for one.
inline std::size_t next_group(std::size_t left, std::size_t most = most_many) {
  const std::size_t groups = (left + most - 1) / most;
  return (left + groups - 1) / groups;
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
