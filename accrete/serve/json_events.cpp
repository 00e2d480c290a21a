// The only file that includes simdjson, which parses several times as fast as nlohmann/json.

#include "accrete/serve/json_events.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>
#include <simdjson.h>

#include "accrete/data/plain_number.hpp"
#include "accrete/data/table.hpp"
#include "accrete/serve/request_error.hpp"

namespace accrete::serve {
namespace {

using simdjson::ondemand::json_type;

enum class Form { whole, decimal };

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// Whether a number is an integer or a decimal; unset if it is not valid JSON ("01", "+1", ".5" or "1.").
std::optional<Form> number_form(std::string_view text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t at = skip_digits(text, first);
  if (at == first || (text[first] == '0' && at > first + 1)) return std::nullopt;
  if (at == text.size()) return Form::whole;
  if (text[at] == '.') {
    const std::size_t fraction = at + 1;
    at = skip_digits(text, fraction);
    if (at == fraction) return std::nullopt;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const bool has_sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
    const std::size_t exponent = at + (has_sign ? 2 : 1);
    at = skip_digits(text, exponent);
    if (at == exponent) return std::nullopt;
  }
  return at == text.size() ? std::optional(Form::decimal) : std::nullopt;
}

/// Parses a number such as -0.25, the most common form in requests: at most 15 digits, no exponent, not whole. Returns
/// false for any other form.
bool read_plain_decimal(std::string_view text, double& value) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (text.size() < first + 3 || !is_digit(text[first])) return false;
  if (text[first] == '0' && text[first + 1] != '.') return false;
  return data::read_plain_number(text.data(), value) == text.data() + text.size() && value != std::trunc(value);
}

/// Returns false if the number is out of range.
template <class Integer>
bool read_whole(std::string_view text, Integer& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
}

class Walk {
 public:
  explicit Walk(JsonEvents& events) : events_(events) {}

  void visit(simdjson::ondemand::document& document) {
    switch (static_cast<json_type>(document.type())) {
      case json_type::object:
        return visit_object(document.get_object());
      case json_type::array:
        return visit_array(document.get_array());
      default:
        throw RequestError("the request must be an object");
    }
  }

 private:
  void visit(simdjson::ondemand::value value) {
    switch (static_cast<json_type>(value.type())) {
      case json_type::object:
        return visit_object(value.get_object());
      case json_type::array:
        return visit_array(value.get_array());
      case json_type::string:
        return events_.string(std::string_view(value.get_string()));
      case json_type::number:
        return visit_number(value.raw_json_token());
      case json_type::boolean:
        return events_.boolean(bool(value.get_bool()));
      case json_type::null:
        if (!bool(value.is_null())) throw simdjson::simdjson_error(simdjson::N_ATOM_ERROR);
        return events_.null();
    }
    throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
  }

  void visit_object(simdjson::ondemand::object object) {
    events_.start_object();
    for (auto field : object) {
      events_.key(std::string_view(field.unescaped_key()));
      visit(field.value());
    }
    events_.end_object();
  }

  void visit_array(simdjson::ondemand::array array) {
    events_.start_array();
    for (simdjson::ondemand::value value : array) {
      double number = 0.0;
      if (read_plain_decimal(value.raw_json_token(), number)) {
        add_decimal(number);
      } else {
        flush_decimals();
        visit(value);
      }
    }
    flush_decimals();
    events_.end_array();
  }

  void add_decimal(double value) {
    if (count_ == decimals_.size()) flush_decimals();
    decimals_[count_++] = value;
  }

  void flush_decimals() {
    if (count_ > 0) events_.decimals(std::span(decimals_).first(count_));
    count_ = 0;
  }

  /// Does not rely on simdjson for numbers: version 3.0 misreads decimals of more than 19 digits.
  void visit_number(std::string_view text) {
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    const auto form = number_form(text);
    if (!form) throw simdjson::simdjson_error(simdjson::NUMBER_ERROR);
    if (*form == Form::whole) {
      std::int64_t integer = 0;
      std::uint64_t positive = 0;
      if (read_whole(text, positive)) return events_.number_unsigned(positive);
      if (read_whole(text, integer)) return events_.number_integer(integer);
    }
    const double value = data::parse_number(text).value_or(0.0);
    events_.decimals({&value, 1});
  }

  JsonEvents& events_;
  std::array<double, 64> decimals_;  ///< consecutive decimals of the open array
  std::size_t count_ = 0;
};

}  // namespace

void read_json(std::string_view json, JsonEvents& events) {
  const simdjson::padded_string padded(json);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS)
    throw RequestError("the request is not valid JSON in UTF-8");  // simdjson gives no position here
  try {
    Walk(events).visit(document);
    const bool is_at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    if (!is_at_end) throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
  } catch (const simdjson::simdjson_error& error) {
    const char* at = nullptr;
    const bool is_inside = document.current_location().get(at) == simdjson::SUCCESS &&
                           error.error() != simdjson::INCOMPLETE_ARRAY_OR_OBJECT;  // this error has no position
    throw RequestError(
        fmt::format("the request is not valid JSON, at byte {}", is_inside ? at - padded.data() : std::ssize(json)));
  }
}

}  // namespace accrete::serve
