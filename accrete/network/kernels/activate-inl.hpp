// Vectorised activations and their slopes, which kernels apply while the sums are still in registers.
//
// Maximum error against double over the whole float range: logistic 4 ulp, tanh 6 ulp (4 for the scalar formula), relu
// exact. An activation without an overload here falls back to its scalar formula. The constant is the first argument of
// Min and Max so that x86 propagates a NaN in z. Polynomials are evaluated in pairs of terms (Estrin) rather than by
// Horner's rule, which is one long dependency chain.

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

/// Floats in a cache line. Vectors are capped at it and arrays are padded to it, so every array is whole vectors.
inline constexpr std::size_t line_floats = 16;
using FloatTag = hn::CappedTag<float, line_floats>;
using FloatVector = hn::Vec<FloatTag>;

/// Applies the activation to every lane; this is the fallback.
template <class Formula>
HWY_ATTR HWY_INLINE FloatVector activate(Formula, FloatVector z) {
  const FloatTag d;
  alignas(64) float values[line_floats];
  hn::Store(z, d, values);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) values[i] = Formula::value(values[i]);
  return hn::Load(d, values);
}

HWY_ATTR HWY_INLINE FloatVector activate(activation::Relu, FloatVector z) {
  return hn::Max(hn::Zero(FloatTag()), z);
}

#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
/// Keeps the compiler from contracting a product and the following addition into a multiply-add.
HWY_ATTR HWY_INLINE FloatVector prevent_fusion(FloatVector product) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+w"(product.raw));
#endif
  return product;
}

/// 1 / (1 + exp(-z)) for NEON. A NEON multiply-add overwrites its addend, so a reused addend costs a copy; this form
/// has none. As in the generic version below, z = r - n ln 2 and exp(-z) = 2^n exp(-r). With u about r / 12, exp(-r) is
/// (even - odd) / (even + odd), even = u^2 + a, odd = u (u^2 + b), with a relative error below 3e-9. The factor of n
/// has 16 bits, so its product is exact, and u is rounded only once. Above z = 60 the result is 1 in float.
HWY_ATTR HWY_INLINE FloatVector activate(activation::Logistic, FloatVector z) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> bits;
  z = hn::Min(hn::Set(d, 60.0f), hn::Max(hn::Set(d, -88.0f), z));
  const auto shifted = hn::MulAdd(z, hn::Set(d, -1.44269504088896341f), hn::Set(d, 12582912.0f));
  const auto n = hn::MulAdd(shifted, hn::Set(d, 726444.0f / 12582912.0f), hn::Set(d, -726444.0f));
  const auto u = hn::MulAdd(z, hn::Set(d, 0.08329050988f), n);
  const auto u2 = hn::Mul(u, u);
  const auto even = hn::Add(u2, hn::Set(d, 0.0693802163f));
  const auto odd = prevent_fusion(hn::Mul(u, hn::Add(u2, hn::Set(d, 0.4164953232f))));
  const auto plus = hn::Add(even, odd), minus = hn::Sub(even, odd);
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
  const auto scaled = hn::BitCast(d, hn::Add(hn::BitCast(bits, minus), exponent));
  return hn::Div(plus, hn::Add(plus, scaled));
}
#else
/// 1 / (1 + exp(-z)). With z = r - n ln 2, exp(-z) = 2^n exp(-r), as in core::exp but with the sign folded into the
/// constants. exp(-r) is the Pade approximant (even - r odd) / (even + r odd) of degree 3, with a relative error below
/// 6e-9 for |r| <= ln(2) / 2. Its division and that of the logistic are merged into one.
HWY_ATTR HWY_INLINE FloatVector activate(activation::Logistic, FloatVector z) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> bits;
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

/// The rational approximation known from Eigen: an odd polynomial of degree 13 over an even one of degree 6, within 6
/// ulp (5 with fused multiply-adds). z is clamped where the result reaches 1, because the quotient would move away from
/// 1 again for larger z.
HWY_ATTR HWY_INLINE FloatVector activate(activation::Tanh, FloatVector z) {
  const FloatTag d;
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

/// error * slope, with the slope computed from the activation's value a. product is error * a, which callers have
/// anyway. This is the fallback.
template <class Formula>
HWY_ATTR HWY_INLINE FloatVector multiply_by_slope(Formula, FloatVector a, FloatVector error, FloatVector) {
  const FloatTag d;
  alignas(64) float slopes[line_floats];
  hn::Store(a, d, slopes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) slopes[i] = Formula::slope(slopes[i]);
  return hn::Mul(error, hn::Load(d, slopes));
}
HWY_ATTR HWY_INLINE FloatVector multiply_by_slope(activation::Logistic, FloatVector a, FloatVector,
                                                  FloatVector product) {
  return hn::NegMulAdd(product, a, product);
}
HWY_ATTR HWY_INLINE FloatVector multiply_by_slope(activation::Tanh, FloatVector a, FloatVector error,
                                                  FloatVector product) {
  return hn::NegMulAdd(product, a, error);
}
HWY_ATTR HWY_INLINE FloatVector multiply_by_slope(activation::Relu, FloatVector a, FloatVector error, FloatVector) {
  return hn::IfThenElseZero(hn::Gt(a, hn::Zero(FloatTag())), error);
}

/// Arm applies activations in a separate pass over the stored sums: its reorder window is smaller than x86's, so an
/// activation of more than one instruction after each sum would stall the products that follow.
template <class Formula>
inline constexpr bool activates_separately = HWY_ARCH_ARM && !std::is_same_v<Formula, activation::Relu>;

/// Activates an array in place; its size is a multiple of line_floats. Interleaves four vectors, because each is one
/// long dependency chain.
template <class Formula>
HWY_ATTR inline void activate_array(Formula f, float* values, std::size_t size) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  std::size_t r = 0;
  for (; r + 4 * n <= size; r += 4 * n) {
    const auto a0 = activate(f, hn::Load(d, values + r)), a1 = activate(f, hn::Load(d, values + r + n));
    const auto a2 = activate(f, hn::Load(d, values + r + 2 * n)), a3 = activate(f, hn::Load(d, values + r + 3 * n));
    hn::Store(a0, d, values + r), hn::Store(a1, d, values + r + n);
    hn::Store(a2, d, values + r + 2 * n), hn::Store(a3, d, values + r + 3 * n);
  }
  for (; r < size; r += n) hn::Store(activate(f, hn::Load(d, values + r)), d, values + r);
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
