#pragma once
// Random targets and the list of losses, for the contract tests of the losses.

#include <gtest/gtest.h>

#include "accrete/core/random.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::loss {

inline core::Rng rng_for(std::uint64_t step) {
  return {7, step, core::Purpose::generator};
}

template <class F>
void for_each_loss(F f) {
  for (std::size_t i = 0; i < All::size; ++i) {
    SCOPED_TRACE(All::names[i]);
    All::visit(i, f);
  }
}

constexpr bool joint(Link link) {
  return link == Link::softmax;
}

/// A random target that the loss allows: a class, a count or a number.
template <class L>
double draw_target(core::Rng& rng, std::size_t outputs) {
  if (joint(L::link)) return static_cast<double>(rng.below(outputs));
  if (L::classes) return static_cast<double>(rng.below(2));
  if (L::link == Link::exponential) return static_cast<double>(rng.below(6));
  if (L::link == Link::probability) return rng.uniform(0.0, 1.0);
  return rng.normal();
}

}  // namespace accrete::loss
