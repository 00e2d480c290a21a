#pragma once
// Fields of a configuration struct that exists in two versions: with optional fields for the caller, and with plain
// fields for the fit.

#include <optional>
#include <type_traits>

namespace accrete::config {

/// A field that always has a value.
template <class T>
using Plain = T;

/// The initial value of a field: its default, or unset if it is optional.
template <template <class> class Field, class T>
constexpr Field<T> initial(T value) {
  if constexpr (std::is_same_v<Field<T>, T>)
    return value;
  else
    return std::nullopt;
}

}  // namespace accrete::config
