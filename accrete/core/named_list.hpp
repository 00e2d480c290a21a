#pragma once
// A compile-time list of named types, in which losses, activations, metrics and solvers are registered.
//
//   using All = core::NamedTypes<Logistic, Tanh, Relu>;     each has  static constexpr const char* name, summary
//   All::index_of("tanh", "activation")                     returns 1; UsageError that lists all names if unknown
//   All::visit(1, [](auto formula) { ... })                 calls with Tanh{}

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"

namespace accrete::core {

template <class... Types>
struct NamedTypes {
  static constexpr std::size_t size = sizeof...(Types);
  static constexpr std::array<const char*, size> names{Types::name...};
  static constexpr std::array<const char*, size> summaries{Types::summary...};

  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<Types...>>;

  /// "a, b, c"
  static std::string join() {
    std::string text;
    for (const char* name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
  }

  static bool contains(std::string_view wanted) {
    for (const char* name : names)
      if (wanted == name) return true;
    return false;
  }

  static std::size_t index_of(std::string_view wanted, std::string_view what) {
    for (std::size_t i = 0; i < size; ++i)
      if (wanted == names[i]) return i;
    throw UsageError("unknown " + std::string(what) + " '" + std::string(wanted) + "'; allowed: " + join() +
                     did_you_mean(wanted, join()));
  }

  /// Calls f with a value of the i-th type; every branch must return the same type.
  template <class F>
  static decltype(auto) visit(std::size_t i, F&& f) {
    return visit_type(i, [&]<class T>(std::type_identity<T>) -> decltype(auto) { return f(T{}); });
  }

  /// Same as visit, for types without a default constructor: f receives std::type_identity<T>.
  template <class F>
  static decltype(auto) visit_type(std::size_t i, F&& f) {
    return visit_from<0>(i, std::forward<F>(f));
  }

 private:
  template <std::size_t I, class F>
  static decltype(auto) visit_from(std::size_t i, F&& f) {
    if constexpr (I + 1 < size) {
      if (i != I) return visit_from<I + 1>(i, std::forward<F>(f));
    }
    return f(std::type_identity<at<I>>{});
  }
};

}  // namespace accrete::core
