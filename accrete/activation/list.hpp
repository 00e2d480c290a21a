#pragma once
// The activations. To add one, write a file like logistic.hpp and add its name here; flag, model file and contract
// tests are derived from this list.

#include <cstddef>
#include <string_view>

#include "accrete/activation/logistic.hpp"
#include "accrete/activation/relu.hpp"
#include "accrete/activation/tanh.hpp"
#include "accrete/core/named_list.hpp"

namespace accrete::activation {

using All = core::NamedTypes<Logistic, Tanh, Relu>;

/// An activation selected at run time: an index into the list.
struct Activation {
  std::size_t index = 0;

  static Activation named(std::string_view name) { return {All::index_of(name, "activation")}; }
  const char* name() const { return All::names[index]; }
  double init_gain() const {
    return All::visit(index, [](auto formula) { return decltype(formula)::init_gain; });
  }
  const char* c_body() const {
    return All::visit(index, [](auto formula) { return decltype(formula)::c_body; });
  }
  bool operator==(const Activation&) const = default;
};

}  // namespace accrete::activation
