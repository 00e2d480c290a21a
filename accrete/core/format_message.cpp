#include "accrete/core/format_message.hpp"

namespace accrete::core::detail {

std::string FormatFields::take_literal() {
  std::string text;
  while (!rest_.empty()) {
    const bool brace = rest_[0] == '{' || rest_[0] == '}';
    if (brace && (rest_.size() < 2 || rest_[1] != rest_[0])) break;
    text += rest_[0];
    rest_.remove_prefix(brace ? 2 : 1);
  }
  return text;
}

std::string_view FormatFields::take_field() {
  const std::string_view field = rest_.substr(0, rest_.find('}') + 1);
  rest_.remove_prefix(field.size());
  return field;
}

}  // namespace accrete::core::detail
