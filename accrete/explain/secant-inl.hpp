// The mean slope of an activation between a unit's bias and its weighted inputs, vectorised:
//
//   secant(f, d, z0, a0) = (act(z0 + d) - act(z0)) / d,   a0 = act(z0);   the derivative at z0 for d = 0
//
// For small d the quotient loses all digits, although columns that cancel each other may still contribute much, so each
// activation has a form without that difference.

#if defined(ACCRETE_EXPLAIN_SECANT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_EXPLAIN_SECANT_INL_HPP
#undef ACCRETE_EXPLAIN_SECANT_INL_HPP
#else
#define ACCRETE_EXPLAIN_SECANT_INL_HPP
#endif

#include <cmath>
#include <cstddef>

#include "accrete/network/kernels/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::explain::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using network::HWY_NAMESPACE::activate;
using network::HWY_NAMESPACE::FloatTag;
using network::HWY_NAMESPACE::FloatVector;
using network::HWY_NAMESPACE::line_floats;

/// The fallback: for small d the derivative at the midpoint, whose error is of order d^2.
template <class Formula>
HWY_ATTR HWY_INLINE FloatVector secant(Formula, FloatVector d, FloatVector z0, FloatVector a0) {
  const FloatTag tag;
  alignas(64) float ds[line_floats], zs[line_floats], as[line_floats];
  hn::Store(d, tag, ds), hn::Store(z0, tag, zs), hn::Store(a0, tag, as);
  for (std::size_t i = 0; i < hn::Lanes(tag); ++i)
    ds[i] = std::abs(ds[i]) < 0.01f ? Formula::slope(Formula::value(zs[i] + 0.5f * ds[i]))
                                    : (Formula::value(zs[i] + ds[i]) - as[i]) / ds[i];
  return hn::Load(tag, ds);
}

/// If z0 and z have different signs, their difference does not cancel.
HWY_ATTR HWY_INLINE FloatVector secant(activation::Relu, FloatVector d, FloatVector z0, FloatVector) {
  const FloatTag tag;
  const auto high = hn::Max(z0, hn::Add(z0, d));
  const auto share = hn::Min(hn::Set(tag, 1.0f), hn::Div(high, hn::Abs(d)));
  return hn::IfThenElseZero(hn::Gt(high, hn::Zero(tag)), share);
}

/// tanh(d) / d, with its Taylor series near 0.
HWY_ATTR HWY_INLINE FloatVector tanh_quotient(FloatVector d) {
  const FloatTag tag;
  const auto series = hn::MulAdd(hn::Mul(d, d), hn::Set(tag, -1.0f / 3.0f), hn::Set(tag, 1.0f));
  const auto quotient = hn::Div(activate(activation::Tanh(), d), d);
  return hn::IfThenElse(hn::Lt(hn::Abs(d), hn::Set(tag, 0.01f)), series, quotient);
}

/// tanh(z) - tanh(z0) = tanh(z - z0) (1 - tanh(z) tanh(z0))
HWY_ATTR HWY_INLINE FloatVector secant(activation::Tanh formula, FloatVector d, FloatVector z0, FloatVector a0) {
  const auto a = activate(formula, hn::Add(z0, d));
  return hn::Mul(tanh_quotient(d), hn::NegMulAdd(a, a0, hn::Set(FloatTag(), 1.0f)));
}

/// The same for the logistic function, which is (1 + tanh(z / 2)) / 2.
HWY_ATTR HWY_INLINE FloatVector secant(activation::Logistic formula, FloatVector d, FloatVector z0, FloatVector a0) {
  const auto half = hn::Set(FloatTag(), 0.5f);
  const auto a = activate(formula, hn::Add(z0, d));
  const auto mean = hn::Mul(half, hn::Add(a, a0));
  return hn::Mul(tanh_quotient(hn::Mul(half, d)), hn::NegMulAdd(a, a0, mean));
}

}  // namespace accrete::explain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
