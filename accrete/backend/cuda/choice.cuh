#pragma once
// Formulas chosen while a kernel runs. Every thread of a block makes the same choice, so it costs next to nothing, and
// one kernel serves all formulas of a kind.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::cuda {

/// f(Type{}) for the type at that place of a core::NamedTypes.
template <class List, class F, std::size_t... I>
__device__ __forceinline__ void choose_from(unsigned place, F&& f, std::index_sequence<I...>) {
  ((place == I ? f(typename List::template at<I>{}) : void()), ...);
}

template <class F>
__device__ __forceinline__ void choose_activation(unsigned place, F&& f) {
  using List = activation::All;
  choose_from<List>(place, f, std::make_index_sequence<List::size>{});
}

/// Losses with one formula per output.
struct SeparableLosses {
  template <class F>
  __device__ __forceinline__ static void choose(unsigned place, F&& f) {
    choose_from<loss::All>(
        place,
        [&](auto l) {
          if constexpr (!std::is_same_v<decltype(l), loss::Softmax>) f(l);
        },
        std::make_index_sequence<loss::All::size>{});
  }
};

/// All of them.
struct AnyLoss {
  template <class F>
  __device__ __forceinline__ static void choose(unsigned place, F&& f) {
    choose_from<loss::All>(place, f, std::make_index_sequence<loss::All::size>{});
  }
};

/// The one that ties outputs together.
struct JointLoss {
  template <class F>
  __device__ __forceinline__ static void choose(unsigned, F&& f) {
    f(loss::Softmax{});
  }
};

}  // namespace accrete::cuda
