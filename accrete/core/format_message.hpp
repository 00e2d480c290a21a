#pragma once
// Builds messages from a format string.
//
//   throw core::UsageError(core::parameter("units", 0), "must be at least 1");
//   throw core::UsageError(core::message("{} exceeds {}", core::parameter("bins", 9), core::parameter("units", 3)));
//   notes.push_back(core::message("the loss rose to {:.5g}; try a lower {}", loss, core::parameter("learning_rate")));

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "accrete/core/message.hpp"

namespace accrete::core {

inline ParameterReference parameter(std::string_view name) {
  return {std::string(name)};
}

template <class Value>
ParameterReference parameter(std::string_view name, const Value& value) {
  return {std::string(name), fmt::format("{}", value)};
}

namespace detail {

/// Argument types that a message keeps as data.
template <class Argument>
inline constexpr bool structured = std::is_same_v<Argument, ParameterReference> || std::is_same_v<Argument, Message>;

/// The type that fmt checks a field against at compile time: a structured argument counts as text.
template <class Argument>
using Checked = std::conditional_t<structured<Argument>, std::string, Argument>;

/// Splits a format string into literal text and replacement fields.
class FormatFields {
 public:
  explicit FormatFields(std::string_view format) : rest_(format) {}

  std::string take_literal();     ///< up to the next field or the end, with {{ and }} unescaped
  std::string_view take_field();  ///< "{...}"

 private:
  std::string_view rest_;
};

template <class Argument>
Message format_argument(std::string_view field, const Argument& argument) {
  if constexpr (structured<Argument>)
    return argument;
  else
    return fmt::vformat(fmt::string_view(field.data(), field.size()), fmt::make_format_args(argument));
}

}  // namespace detail

/// Like fmt::format, but a ParameterReference or Message argument stays structured. Arguments are taken in order:
/// fields have no index and no nested width.
template <class... Arguments>
Message message(fmt::format_string<detail::Checked<Arguments>...> format, const Arguments&... arguments) {
  const fmt::string_view text = format;
  detail::FormatFields fields({text.data(), text.size()});
  Message result;
  ((result += fields.take_literal(), result += detail::format_argument(fields.take_field(), arguments)), ...);
  return result += fields.take_literal();
}

}  // namespace accrete::core
