#pragma once
// Reads JSON value by value, so that a hostile body cannot make the server build a large document.

#include <cstdint>
#include <span>
#include <string_view>

namespace accrete::serve {

/// Called in document order, once per value except for decimals().
class JsonEvents {
 public:
  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void number_integer(std::int64_t value) = 0;
  virtual void number_unsigned(std::uint64_t value) = 0;
  /// Numbers with a decimal point or an exponent. Consecutive ones of an array come in one call, because a call for
  /// each would take longer than parsing. Infinite if a number is too large for a double.
  virtual void decimals(std::span<const double> values) = 0;
  virtual void string(std::string_view value) = 0;
  virtual void start_object() = 0;
  virtual void key(std::string_view name) = 0;
  virtual void end_object() = 0;
  virtual void start_array() = 0;
  virtual void end_array() = 0;

 protected:
  ~JsonEvents() = default;
};

/// Parses an object or an array. Throws RequestError at the first byte that is not JSON, and the exceptions of
/// `events`, which must limit the nesting depth.
void read_json(std::string_view json, JsonEvents& events);

}  // namespace accrete::serve
