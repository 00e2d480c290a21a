// The activations on a vector of units' sums, applied while the sums are still in registers, where the compiler's
// vector code for the one-row formulas would need them in memory.
//
// Accuracy, tested against double over the whole range: logistic within 4 units in the last place, tanh within 6 (the
// one-row formula: 4), relu exact. An activation without a form here falls back on its one-row formula. Constants come
// first in Min and Max: x86 then hands a NaN on. Polynomials are cut in pairs of terms: from the innermost outwards,
// each step would wait for the one before.

#if defined(ACCRETE_NETWORK_ACTIVATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_ACTIVATE_INL_HPP
#undef ACCRETE_NETWORK_ACTIVATE_INL_HPP
#else
#define ACCRETE_NETWORK_ACTIVATE_INL_HPP
#endif

#include <cstddef>
#include <type_traits>

#include "accrete/activation/list.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most 16 floats, so that a run of 16 is whole vectors whatever their width.
using UnitTag = hn::CappedTag<float, 16>;
using UnitVector = hn::Vec<UnitTag>;

template <class Formula>
HWY_ATTR HWY_INLINE UnitVector activated(Formula, UnitVector z) {
  const UnitTag d;
  alignas(64) float values[16];
  hn::Store(z, d, values);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) values[i] = Formula::value(values[i]);
  return hn::Load(d, values);
}

HWY_ATTR HWY_INLINE UnitVector activated(activation::Relu, UnitVector z) {
  return hn::Max(hn::Zero(UnitTag()), z);
}

#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
/// A product that the compiler shall not fuse with the sums that it goes into.
HWY_ATTR HWY_INLINE UnitVector apart(UnitVector product) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+w"(product.raw));
#endif
  return product;
}

/// The logistic as below for NEON, whose multiply-add overwrites its addend, so that an addend that is needed again
/// costs a copy. With u = r / 12, nearly, exp(-r) is (even - odd) / (even + odd) with even = u^2 + a and odd = u (u^2 +
/// b), within 3e-9. The factor of z is a float to 11 digits and that of n has 16 bits: its product is exact and u is
/// rounded once. Beyond 60 the logistic is 1.
HWY_ATTR HWY_INLINE UnitVector activated(activation::Logistic, UnitVector z) {
  const UnitTag d;
  const hn::RebindToSigned<UnitTag> bits;
  z = hn::Min(hn::Set(d, 60.0f), hn::Max(hn::Set(d, -88.0f), z));
  const auto shifted = hn::MulAdd(z, hn::Set(d, -1.44269504088896341f), hn::Set(d, 12582912.0f));
  const auto n = hn::MulAdd(shifted, hn::Set(d, 726444.0f / 12582912.0f), hn::Set(d, -726444.0f));
  const auto u = hn::MulAdd(z, hn::Set(d, 0.08329050988f), n);
  const auto u2 = hn::Mul(u, u);
  const auto even = hn::Add(u2, hn::Set(d, 0.0693802163f));
  const auto odd = apart(hn::Mul(u, hn::Add(u2, hn::Set(d, 0.4164953232f))));
  const auto plus = hn::Add(even, odd), minus = hn::Sub(even, odd);
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  const auto scaled = hn::BitCast(d, hn::Add(hn::BitCast(bits, minus), exponent));
  return hn::Div(plus, hn::Add(plus, scaled));
}
#else
/// 1 / (1 + exp(-z)). exp(-z) is 2^n exp(-r) with z = r - n ln 2, as in core::exp but with the sign folded into the
/// constants, and exp(-r) is (even - r odd) / (even + r odd), Pade's fraction of degree 3: within 6e-9 for |r| <= ln(2)
/// / 2. The one division serves both.
HWY_ATTR HWY_INLINE UnitVector activated(activation::Logistic, UnitVector z) {
  const UnitTag d;
  const hn::RebindToSigned<UnitTag> bits;
  const auto round = hn::Set(d, 12582912.0f);
  z = hn::Min(hn::Set(d, 87.0f), hn::Max(hn::Set(d, -88.0f), z));
  const auto shifted = hn::MulAdd(z, hn::Set(d, -1.44269504088896341f), round);
  const auto n = hn::Sub(shifted, round);
  auto r = hn::MulAdd(n, hn::Set(d, 0.693359375f), z);
  r = hn::MulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  const auto r2 = hn::Mul(r, r);
  const auto odd = hn::MulAdd(r2, hn::Set(d, 1.0f / 120.0f), hn::Set(d, 0.5f));
  const auto even = hn::MulAdd(r2, hn::Set(d, 0.1f), hn::Set(d, 1.0f));
  const auto plus = hn::MulAdd(odd, r, even), minus = hn::NegMulAdd(odd, r, even);
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  const auto scaled = hn::BitCast(d, hn::Add(hn::BitCast(bits, minus), exponent));
  return hn::Div(plus, hn::Add(plus, scaled));
}
#endif

/// The rational form that Eigen made known: odd of degree 13 over even of degree 6, within 6 units in the last place
/// (5 where multiply-adds are fused), and 1 where it is held (the polynomials would turn away from 1 beyond).
HWY_ATTR HWY_INLINE UnitVector activated(activation::Tanh, UnitVector z) {
  const UnitTag d;
  z = hn::Min(hn::Set(d, 7.99881172180175781f), hn::Max(hn::Set(d, -7.99881172180175781f), z));
  const auto s = hn::Mul(z, z);
  const auto s2 = hn::Mul(s, s);
  const auto p2 = hn::MulAdd(hn::Set(d, -2.76076847742355e-16f), s2,
                             hn::MulAdd(hn::Set(d, 2.00018790482477e-13f), s, hn::Set(d, -8.60467152213735e-11f)));
  const auto p1 = hn::MulAdd(hn::Set(d, 5.12229709037114e-08f), s, hn::Set(d, 1.48572235717979e-05f));
  const auto p0 = hn::MulAdd(hn::Set(d, 6.37261928875436e-04f), s, hn::Set(d, 4.89352455891786e-03f));
  const auto p = hn::MulAdd(hn::MulAdd(p2, s2, p1), s2, p0);
  const auto q1 = hn::MulAdd(hn::Set(d, 1.19825839466702e-06f), s, hn::Set(d, 1.18534705686654e-04f));
  const auto q0 = hn::MulAdd(hn::Set(d, 2.26843463243900e-03f), s, hn::Set(d, 4.89352518554385e-03f));
  const auto q = hn::MulAdd(q1, s2, q0);
  return hn::Div(hn::Mul(z, p), q);
}

/// error * slope, the slope from the activation's value a; product: error * a, which callers need as well. By the
/// one-row formula,
template <class Formula>
HWY_ATTR HWY_INLINE UnitVector sloped(Formula, UnitVector a, UnitVector error, UnitVector) {
  const UnitTag d;
  alignas(64) float slopes[16];
  hn::Store(a, d, slopes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) slopes[i] = Formula::slope(slopes[i]);
  return hn::Mul(error, hn::Load(d, slopes));
}
/// or in registers.
HWY_ATTR HWY_INLINE UnitVector sloped(activation::Logistic, UnitVector a, UnitVector, UnitVector product) {
  return hn::NegMulAdd(product, a, product);
}
HWY_ATTR HWY_INLINE UnitVector sloped(activation::Tanh, UnitVector a, UnitVector error, UnitVector product) {
  return hn::NegMulAdd(product, a, error);
}
HWY_ATTR HWY_INLINE UnitVector sloped(activation::Relu, UnitVector a, UnitVector error, UnitVector) {
  return hn::IfThenElseZero(hn::Gt(a, hn::Zero(UnitTag())), error);
}

/// Arm's processors look less far ahead than x86's: sums that wait for an activation hold up the products after them,
/// unless it is a single operation.
template <class Formula>
inline constexpr bool activate_apart = HWY_ARCH_ARM && !std::is_same_v<Formula, activation::Relu>;

/// On a run of sums, in place; rows come in multiples of 16. Four vectors at a time, since each is one long chain.
template <class Formula>
HWY_ATTR inline void activate_run(Formula f, float* values, std::size_t rows) {
  const UnitTag d;
  const std::size_t n = hn::Lanes(d);
  std::size_t r = 0;
  for (; r + 4 * n <= rows; r += 4 * n) {
    const auto a0 = activated(f, hn::Load(d, values + r)), a1 = activated(f, hn::Load(d, values + r + n));
    const auto a2 = activated(f, hn::Load(d, values + r + 2 * n)), a3 = activated(f, hn::Load(d, values + r + 3 * n));
    hn::Store(a0, d, values + r), hn::Store(a1, d, values + r + n);
    hn::Store(a2, d, values + r + 2 * n), hn::Store(a3, d, values + r + 3 * n);
  }
  for (; r < rows; r += n) hn::Store(activated(f, hn::Load(d, values + r)), d, values + r);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
