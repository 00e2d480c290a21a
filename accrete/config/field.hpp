#pragma once
// Fields of a configuration struct that exists twice: with optional fields for what a caller gives, and with plain ones
// for what a fit runs with.

#include <optional>
#include <type_traits>
#include <utility>

namespace accrete::config {

/// A field that always has a value.
template <class T>
using Plain = T;

/// What a field holds before anything is given: its default value, or nothing if it is optional.
template <template <class> class Field, class T>
constexpr Field<T> initial(T value) {
  if constexpr (std::is_same_v<Field<T>, T>)
    return value;
  else
    return std::nullopt;
}

}  // namespace accrete::config
