#pragma once
// Run-time dispatch to the formulas of a loss or activation. All threads of a CUDA block take the same branch, which
// costs little, so one kernel serves all formulas and is compiled once.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "accrete/activation/list.hpp"
#include "accrete/loss/list.hpp"

namespace accrete::cuda {

/// Calls f(Type{}) for the type at `index` of a core::NamedTypes.
template <class List, class F, std::size_t... I>
__device__ __forceinline__ void visit_at(unsigned index, F&& f, std::index_sequence<I...>) {
  ((index == I ? f(typename List::template at<I>{}) : void()), ...);
}

template <class F>
__device__ __forceinline__ void visit_activation(unsigned index, F&& f) {
  using List = activation::All;
  visit_at<List>(index, f, std::make_index_sequence<List::size>{});
}

struct AnyLoss {
  template <class F>
  __device__ __forceinline__ static void visit(unsigned index, F&& f) {
    visit_at<loss::All>(index, f, std::make_index_sequence<loss::All::size>{});
  }
};

/// Losses with one formula per output.
struct SeparableLoss {
  template <class F>
  __device__ __forceinline__ static void visit(unsigned index, F&& f) {
    AnyLoss::visit(index, [&](auto l) {
      if constexpr (!std::is_same_v<decltype(l), loss::Softmax>) f(l);
    });
  }
};

/// The loss that couples outputs.
struct SoftmaxLoss {
  template <class F>
  __device__ __forceinline__ static void visit(unsigned, F&& f) {
    f(loss::Softmax{});
  }
};

}  // namespace accrete::cuda
