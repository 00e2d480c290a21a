#pragma once
// The kernels of one loss.

#include <type_traits>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/backend/cuda/fit_kernel.cuh"
#include "accrete/backend/cuda/kernels.hpp"

namespace accrete::cuda {

template <class Loss, class Activation, int K>
const void* kernel_for_units(unsigned units) {
  static_assert(most_units == 4);
  switch (units) {
    case 1:
      return reinterpret_cast<const void*>(&fit_all<Loss, Activation, 1, K>);
    case 2:
      return reinterpret_cast<const void*>(&fit_all<Loss, Activation, 2, K>);
    case 3:
      return reinterpret_cast<const void*>(&fit_all<Loss, Activation, 3, K>);
    case 4:
      return reinterpret_cast<const void*>(&fit_all<Loss, Activation, 4, K>);
    default:
      return nullptr;
  }
}

/// most: numbers of outputs to compile for, ascending.
template <class Loss, int... most>
const void* find_kernel(std::string_view activation, unsigned units, unsigned outputs) {
  const void* found = nullptr;
  const auto look = [&](auto its_activation) {
    const auto try_one = [&](auto k) {
      if (!found && outputs <= decltype(k)::value)
        found = kernel_for_units<Loss, decltype(its_activation), decltype(k)::value>(units);
    };
    (try_one(std::integral_constant<int, most>{}), ...);
  };
  if (activation::All::contains(activation))
    activation::All::visit(activation::All::index_of(activation, "activation"), look);
  return found;
}

}  // namespace accrete::cuda
