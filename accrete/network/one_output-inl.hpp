// One output of a dense layer over a tile of rows (network/dense-inl.hpp), and what all of its products are made of:
// sums in registers, weights in every lane, rows fetched ahead.

#if defined(ACCRETE_NETWORK_ONE_OUTPUT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_ONE_OUTPUT_INL_HPP
#undef ACCRETE_NETWORK_ONE_OUTPUT_INL_HPP
#else
#define ACCRETE_NETWORK_ONE_OUTPUT_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums are kept in runs of this many floats, whatever the width of a vector.
inline constexpr std::size_t lane_run = 16;
using Lanes = UnitTag;

/// What becomes of a sum before it leaves its register: nothing,
struct Plain {
  HWY_ATTR HWY_INLINE UnitVector operator()(UnitVector z) const { return z; }
};
/// or a hidden unit's activation.
template <class Formula>
struct Activated {
  HWY_ATTR HWY_INLINE UnitVector operator()(UnitVector z) const { return activated(Formula{}, z); }
};

/// Rows come in multiples of lane_run; output q of row r is out[q * stride + r].
struct Combine {
  const float* const* in;  ///< inputs pointers
  std::size_t inputs;
  const float* weights;  ///< outputs x inputs
  const float* bias;     ///< outputs
  std::size_t rows;
  std::size_t stride;
  float* out;
  std::size_t spacing = 0;  ///< floats from each input to the next, where it is the same for all; else 0
  std::size_t ahead = 0;  ///< so many floats after an input lies what is read next, to be fetched meanwhile; 0: do not
  std::size_t piece_ahead = 0;     ///< the same from the first input on, where all of it is one piece
  std::size_t next = 0;            ///< floats from an input to the same one of the next tile; 0: there is none
  const float* grouped = nullptr;  ///< the weights again, as network/grouped.hpp lays them, two floats more; or null
};

/// The rows after these are fetched while these are multiplied: Arm's processors do not see by themselves which lines
/// they will need when a product goes from input to input.
inline constexpr bool fetches_rows = HWY_ARCH_ARM;

/// From rows r on, `rows` of them, to the next: those of the same tile, or the first of the next one.
HWY_ATTR HWY_INLINE std::size_t to_next_rows(const Combine& c, std::size_t r, std::size_t rows) {
  return r + rows < c.rows || c.next == 0 ? rows : c.next - r;
}
template <bool fetch>
HWY_ATTR HWY_INLINE void fetch_rows(const float* x, std::size_t rows) {
  if constexpr (fetch)
    for (std::size_t i = 0; i < rows; i += lane_run) __builtin_prefetch(x + i, 0, 3);
}

/// Memory delivers lines to Arm's processors fastest when they are asked for in the order of their addresses and not
/// too many at once; what is asked for faster than it comes is dropped. So all phases of a tile ask for the next one:
/// the products here for the second-level cache, what comes after them for the first.
inline constexpr bool fetches_in_order = HWY_ARCH_ARM;

/// Asks for the floats from `first` to `last` of the share that the rows from r on have in the next piece.
HWY_ATTR HWY_INLINE void fetch_piece(const Combine& c, std::size_t r, std::size_t first, std::size_t last) {
  const float* share = c.in[0] + c.piece_ahead + r * c.inputs;
  for (std::size_t i = first; i < last; i += lane_run) __builtin_prefetch(share + i, 0, 2);
}

// Sums enough to hide the latency of a multiply-add: 1 output x 8 vectors of rows, 2 x 4, and 4 x 4 where there are 32
// registers, 4 x 2 where there are 16. They are named one by one because vectors of unknown length cannot be put in
// arrays.
//
// A weight is wanted in every lane. x86 loads one number into all lanes as fast as a vector; Arm rather loads four
// neighbouring weights together and multiplies by one lane of them.

inline constexpr bool many_registers = HWY_ARCH_ARM || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3);
inline constexpr bool picks_lanes = HWY_ARCH_ARM;

/// The four weights at w, one of which `weight` picks; where weights are loaded one by one, anything.
HWY_ATTR HWY_INLINE UnitVector four_weights(const float* w) {
  const Lanes d;
  if constexpr (picks_lanes)
    return hn::LoadDup128(d, w);
  else
    return hn::Undefined(d);
}
template <int i>
HWY_ATTR HWY_INLINE UnitVector weight(UnitVector four, const float* w) {
  if constexpr (picks_lanes)
    return hn::Broadcast<i>(four);
  else
    return hn::Set(Lanes(), w[i]);
}

/// sum + x times weight i of the four at w. NEON picks the lane as it multiplies.
template <int i>
HWY_ATTR HWY_INLINE UnitVector add_product(UnitVector four, const float* w, UnitVector x, UnitVector sum) {
#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
  (void)w;
  return UnitVector(vfmaq_laneq_f32(sum.raw, x.raw, four.raw, i));
#else
  return hn::MulAdd(weight<i>(four, w), x, sum);
#endif
}

// Arm's processors decode four instructions a cycle, which is a load and a multiply-add twice. So two neighbouring
// vectors come by one instruction, and it is written here, where the compiler cannot gather the loads of a whole loop
// in front of its products.
#undef ACCRETE_LOADS_PAIRS
#define ACCRETE_LOADS_PAIRS (HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG))

/// The vectors `at` and `at` + 1 from x on.
template <int at>
HWY_ATTR HWY_INLINE void load_two(const float* x, UnitVector& a, UnitVector& b) {
#if ACCRETE_LOADS_PAIRS
  asm("ldp %q0, %q1, [%2, %3]"
      : "=w"(a.raw), "=w"(b.raw)
      : "r"(x), "i"(16 * at), "m"(*reinterpret_cast<const float(*)[4 * at + 8]>(x)));
#else
  const Lanes d;
  a = hn::Load(d, x + at * hn::Lanes(d)), b = hn::Load(d, x + (at + 1) * hn::Lanes(d));
#endif
}

/// One output on eight vectors of rows at a time, from r on as far as that goes; returns how far. Equally spaced inputs
/// need no look at their addresses, which would be waited for; other addresses are looked up four inputs ahead.
template <class Finish, bool spaced>
HWY_ATTR inline std::size_t combine_one_by_eight(const Combine& c, std::size_t q, std::size_t r) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, fours = inputs / 4 * 4, spacing = c.spacing, rows = c.rows;
  const float* const* in = c.in;
  const float* w = c.weights + q * inputs;
  float* out = c.out + q * c.stride;
  const auto bias = hn::Set(d, c.bias[q]);
  const bool fetch = c.piece_ahead > 0 && q == 0;
  for (; r + 8 * n <= rows; r += 8 * n) {
    auto s0 = bias, s1 = bias, s2 = bias, s3 = bias, s4 = bias, s5 = bias, s6 = bias, s7 = bias;
    const std::size_t next = to_next_rows(c, r, 8 * n);
    const auto add = [&](const float* x, UnitVector v) HWY_ATTR {
      UnitVector a, b;
      fetch_rows<fetches_rows>(x + next, 8 * n);
      load_two<0>(x, a, b), s0 = hn::MulAdd(v, a, s0), s1 = hn::MulAdd(v, b, s1);
      load_two<2>(x, a, b), s2 = hn::MulAdd(v, a, s2), s3 = hn::MulAdd(v, b, s3);
      load_two<4>(x, a, b), s4 = hn::MulAdd(v, a, s4), s5 = hn::MulAdd(v, b, s5);
      load_two<6>(x, a, b), s6 = hn::MulAdd(v, a, s6), s7 = hn::MulAdd(v, b, s7);
    };
    const float* x = in[0] + r;
    std::size_t p = 0;
    if (spaced) {
      for (; p < fours; p += 4, x += 4 * spacing) {
        const auto four = four_weights(w + p);
        if (fetch) fetch_piece(c, r, p * 8 * n, (p + 4) * 8 * n);
        add(x, weight<0>(four, w + p)), add(x + spacing, weight<1>(four, w + p));
        add(x + 2 * spacing, weight<2>(four, w + p)), add(x + 3 * spacing, weight<3>(four, w + p));
      }
    } else if (fours > 0) {
      const float *x0 = x, *x1 = in[1] + r, *x2 = in[2] + r, *x3 = in[3] + r;
      for (std::size_t next; p < fours; p += 4) {
        next = p + 4 < fours ? p + 4 : p;
        const auto four = four_weights(w + p);
        const float *y0 = in[next], *y1 = in[next + 1], *y2 = in[next + 2], *y3 = in[next + 3];
        add(x0, weight<0>(four, w + p)), add(x1, weight<1>(four, w + p));
        add(x2, weight<2>(four, w + p)), add(x3, weight<3>(four, w + p));
        x0 = y0 + r, x1 = y1 + r, x2 = y2 + r, x3 = y3 + r;
      }
    }
    for (; p < inputs; ++p) {
      add(spaced ? x : in[p] + r, hn::Set(d, w[p]));
      x += spacing;
    }
    float* to = out + r;
    hn::Store(finish(s0), d, to), hn::Store(finish(s1), d, to + n);
    hn::Store(finish(s2), d, to + 2 * n), hn::Store(finish(s3), d, to + 3 * n);
    hn::Store(finish(s4), d, to + 4 * n), hn::Store(finish(s5), d, to + 5 * n);
    hn::Store(finish(s6), d, to + 6 * n), hn::Store(finish(s7), d, to + 7 * n);
  }
  return r;
}

/// One output, from row r on.
template <class Finish>
HWY_ATTR inline void combine_one(const Combine& c, std::size_t q, std::size_t r) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* w = c.weights + q * c.inputs;
  float* out = c.out + q * c.stride;
  r = c.spacing > 0 ? combine_one_by_eight<Finish, true>(c, q, r) : combine_one_by_eight<Finish, false>(c, q, r);
  for (; r + 4 * n <= c.rows; r += 4 * n) {
    auto s0 = hn::Set(d, c.bias[q]), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t p = 0; p < c.inputs; ++p) {
      const auto v = hn::Set(d, w[p]);
      const float* x = c.in[p] + r;
      s0 = hn::MulAdd(v, hn::Load(d, x), s0), s1 = hn::MulAdd(v, hn::Load(d, x + n), s1);
      s2 = hn::MulAdd(v, hn::Load(d, x + 2 * n), s2), s3 = hn::MulAdd(v, hn::Load(d, x + 3 * n), s3);
    }
    hn::Store(finish(s0), d, out + r), hn::Store(finish(s1), d, out + r + n);
    hn::Store(finish(s2), d, out + r + 2 * n), hn::Store(finish(s3), d, out + r + 3 * n);
  }
  for (; r < c.rows; r += n) {
    auto s = hn::Set(d, c.bias[q]);
    for (std::size_t p = 0; p < c.inputs; ++p) s = hn::MulAdd(hn::Set(d, w[p]), hn::Load(d, c.in[p] + r), s);
    hn::Store(finish(s), d, out + r);
  }
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
