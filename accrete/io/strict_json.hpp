#pragma once
// Parses untrusted JSON: bounded nesting and counts, no duplicate keys, FileError for every error.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "accrete/core/error.hpp"

namespace accrete::io {

/// Maximum number of values in a document; bounds the memory that a small file can make the parser allocate.
inline constexpr std::size_t json_value_limit = 16'000'000;
/// Maximum number of keys in an object; lookup in an ordered object is linear.
inline constexpr std::size_t json_key_limit = 10'000;
inline constexpr int json_depth_limit = 8;

/// Checks a document without building it. A callback of Json::parse could do the same, but in time quadratic in the
/// length of a list of objects.
class JsonChecker : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonChecker(const std::string& what) : what_(what) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(std::int64_t) override { return count(); }
  bool number_unsigned(std::uint64_t) override { return count(); }
  bool number_float(double, const std::string&) override { return count(); }
  bool string(std::string&) override { return count(); }
  bool binary(binary_t&) override { return count(); }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return enter();
  }
  bool end_object() override {
    keys_.pop_back();
    return leave();
  }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second) refuse("has a duplicate key");
    if (keys_.back().size() > json_key_limit) refuse("has too many keys");
    return count();
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    refuse("is not valid JSON");
  }

  [[noreturn]] void refuse(const char* why) const { throw core::FileError("damaged (" + what_ + " " + why + ")"); }

 private:
  bool count() {
    if (++values_ > json_value_limit) refuse("has too many values");
    return true;
  }
  bool enter() {
    if (++depth_ > json_depth_limit) refuse("is nested too deeply");
    return count();
  }
  bool leave() {
    --depth_;
    return true;
  }

  const std::string& what_;
  std::vector<std::set<std::string>> keys_;
  std::size_t values_ = 0;
  int depth_ = 0;
};

/// Json is nlohmann::json or nlohmann::ordered_json. `what` names the document in error messages.
template <class Json>
Json parse_strict(std::string_view text, const std::string& what) {
  JsonChecker checker(what);
  try {
    nlohmann::json::sax_parse(text.begin(), text.end(), &checker);
    return Json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::exception&) {
    checker.refuse("is not valid JSON");
  }
}

}  // namespace accrete::io
