#include "accrete/core/message.hpp"

#include <cstddef>
#include <utility>

#include "accrete/core/escape.hpp"
#include "accrete/core/row.hpp"

namespace accrete::core {
namespace {

constexpr std::size_t max_bytes = 1'800;  // a message may quote text as long as a file

}  // namespace

std::string ParameterReference::text() const {
  if (const auto row = RowNames().name(*this)) return *row;
  return value ? name + " " + *value : name;
}

Message::Message(std::string text) {
  if (!text.empty()) parts_.emplace_back(std::move(text));
}

Message::Message(const char* text) : Message(std::string(text)) {}

Message::Message(ParameterReference parameter) {
  parts_.emplace_back(std::move(parameter));
}

Message& Message::operator+=(const Message& other) {
  for (const Part& part : other.parts_) {
    const auto* text = std::get_if<std::string>(&part);
    auto* last = text && !parts_.empty() ? std::get_if<std::string>(&parts_.back()) : nullptr;
    if (last)
      *last += *text;
    else
      parts_.push_back(part);
  }
  return *this;
}

std::string Message::text() const {
  return render([](const ParameterReference& parameter) { return parameter.text(); });
}

std::string Message::render(const Spelling& spell) const {
  std::string all;
  for (const Part& part : parts_) {
    const auto* parameter = std::get_if<ParameterReference>(&part);
    all += parameter ? spell(*parameter) : std::get<std::string>(part);
  }
  return shorten(escape_controls(all), max_bytes);
}

}  // namespace accrete::core
