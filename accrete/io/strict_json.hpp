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

/// Values in one document; bounds the memory that a small file can make the parser allocate.
inline constexpr std::size_t json_value_limit = 4'000'000;
/// Keys of one object; lookup in an ordered object is linear.
inline constexpr std::size_t json_key_limit = 10'000;
inline constexpr int json_depth_limit = 8;

/// Json is nlohmann::json or nlohmann::ordered_json. `what` names the document in error messages.
template <class Json>
Json parse_strict(std::string_view text, const std::string& what) {
  const auto refuse = [&](const char* why) { throw core::FileError("damaged (" + what + " " + why + ")"); };
  std::vector<std::set<std::string>> keys;
  std::size_t values = 0;
  const auto check = [&](int depth, nlohmann::detail::parse_event_t event, Json& parsed) {
    using Event = nlohmann::detail::parse_event_t;
    if (depth > json_depth_limit) refuse("is nested too deeply");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.template get_ref<const std::string&>()).second)
      refuse("has a duplicate key");
    if (event == Event::key && keys.back().size() > json_key_limit) refuse("has too many keys");
    if (++values > json_value_limit) refuse("has too many values");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), check);
  } catch (const nlohmann::json::exception&) {
    refuse("is not valid JSON");
  }
  return {};
}

}  // namespace accrete::io
