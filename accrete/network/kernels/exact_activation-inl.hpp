// Activations that are exactly monotone, for networks with monotone columns: evaluated in double and rounded to float.
// The vector approximations of activate-inl.hpp are within a few ulp but not monotone.
//
// Rounding preserves order, so only the evaluation in double could break it. Its error is a few ulp of double, while
// the function's values at neighbouring floats differ by more, except where both round to the same float.

#if defined(ACCRETE_NETWORK_EXACT_ACTIVATION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_EXACT_ACTIVATION_INL_HPP
#undef ACCRETE_NETWORK_EXACT_ACTIVATION_INL_HPP
#else
#define ACCRETE_NETWORK_EXACT_ACTIVATION_INL_HPP
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "accrete/activation/list.hpp"
#include "accrete/network/kernels/activate-inl.hpp"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// An activation in double; only activate_array is defined for it.
template <class Formula>
struct InDouble {};

template <class Formula>
inline constexpr bool activates_separately<InDouble<Formula>> = true;

using DoubleTag = hn::CappedTag<double, 8>;

template <class Formula>
HWY_ATTR inline void activate_doubles(Formula, double* values) {
  for (std::size_t i = 0; i < line_floats; ++i) values[i] = Formula::value(values[i]);
}

/// The rational function of activate(Tanh), which is strictly increasing up to the clamp: its derivative is above 4e-7.
HWY_ATTR inline void activate_doubles(activation::Tanh, double* values) {
  const DoubleTag d;
  for (std::size_t i = 0; i < line_floats; i += hn::Lanes(d)) {
    const auto limit = hn::Set(d, 7.99881172180175781);
    const auto z = hn::Min(limit, hn::Max(hn::Neg(limit), hn::Load(d, values + i)));
    const auto s = hn::Mul(z, z), s2 = hn::Mul(s, s);
    const auto p2 = hn::MulAdd(hn::Set(d, -2.76076847742355e-16), s2,
                               hn::MulAdd(hn::Set(d, 2.00018790482477e-13), s, hn::Set(d, -8.60467152213735e-11)));
    const auto p1 = hn::MulAdd(hn::Set(d, 5.12229709037114e-08), s, hn::Set(d, 1.48572235717979e-05));
    const auto p0 = hn::MulAdd(hn::Set(d, 6.37261928875436e-04), s, hn::Set(d, 4.89352455891786e-03));
    const auto q1 = hn::MulAdd(hn::Set(d, 1.19825839466702e-06), s, hn::Set(d, 1.18534705686654e-04));
    const auto q0 = hn::MulAdd(hn::Set(d, 2.26843463243900e-03), s, hn::Set(d, 4.89352518554385e-03));
    const auto p = hn::MulAdd(hn::MulAdd(p2, s2, p1), s2, p0);
    hn::Store(hn::Div(hn::Mul(z, p), hn::MulAdd(q1, s2, q0)), d, values + i);
  }
}

/// Beyond the clamp the float result is 1 or subnormal.
HWY_ATTR inline void activate_doubles(activation::Logistic, double* values) {
  const DoubleTag d;
  const auto one = hn::Set(d, 1.0);
  for (std::size_t i = 0; i < line_floats; i += hn::Lanes(d)) {
    const auto z = hn::Min(hn::Set(d, 87.0), hn::Max(hn::Set(d, -87.0), hn::Load(d, values + i)));
    hn::Store(hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(z)))), d, values + i);
  }
}

/// Like activate_array of the formula itself.
template <class Formula>
HWY_ATTR inline void activate_array(InDouble<Formula>, float* values, std::size_t size) {
  alignas(64) double line[line_floats];
  for (std::size_t r = 0; r < size; r += line_floats) {
    std::copy_n(values + r, line_floats, line);
    activate_doubles(Formula(), line);
    for (std::size_t i = 0; i < line_floats; ++i) values[r + i] = static_cast<float>(line[i]);
  }
}

/// Calls visit with the activation's formula, wrapped in InDouble if exactness requires it.
template <class Visit>
HWY_INLINE void visit_activation(std::size_t activation, bool exact, const Visit& visit) {
  activation::All::visit(activation, [&](auto formula) {
    using Formula = decltype(formula);
    if constexpr (!std::is_same_v<Formula, activation::Relu>)
      if (exact) return visit(InDouble<Formula>());
    visit(formula);
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
