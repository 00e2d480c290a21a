#pragma once
// What parameter.hpp declares, for the files that have a list of parameters: each instantiates it for its
// configuration.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "accrete/boosting/parameter.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr double whole_limit = 9007199254740991.0;  // 2^53 - 1: up to here a double tells whole numbers apart

template <class Config>
[[noreturn]] void refuse(const BasicParameter<Config>& p, std::string_view given) {
  throw core::UsageError(fmt::format("{} {}: must be {}", p.flag(), given, p.range()));
}

/// The number in a part of what was given, which a refusal quotes whole.
template <class Config>
double number_in_range(const BasicParameter<Config>& p, std::string_view text, std::string_view given) {
  const auto x = data::parse_number(text);
  if (!x || !std::isfinite(*x) || *x < p.low || *x > p.high || (p.low_open && *x == p.low) ||
      (p.high_open && *x == p.high))
    refuse(p, given);
  return *x;
}

template <class Config>
std::uint64_t whole_in_range(const BasicParameter<Config>& p, std::string_view text, std::string_view given) {
  const double x = number_in_range(p, text, given);
  if (x != std::floor(x)) refuse(p, given);
  return static_cast<std::uint64_t>(x);
}

inline bool is_choice(const std::string& choices, std::string_view wanted) {
  if (wanted.empty() || wanted.find(',') != std::string_view::npos) return false;
  return (", " + choices + ",").find(", " + std::string(wanted) + ",") != std::string::npos;
}

template <class Config>
std::string BasicParameter<Config>::flag() const {
  std::string text = "--" + std::string(name);
  for (char& c : text)
    if (c == '_') c = '-';
  return text;
}

template <class Config>
std::string BasicParameter<Config>::range() const {
  if (std::holds_alternative<bool Config::*>(field)) return "on or off";
  if (choices) return "one of " + choices();
  std::string text = std::holds_alternative<std::uint64_t Config::*>(field) ? "a whole number, " : "";
  if (std::holds_alternative<std::vector<std::uint64_t> Config::*>(field))
    text = "whole numbers with commas between, each ";
  text += fmt::format("{} {}", low_open ? "above" : "at least", low);
  if (high < no_limit) text += fmt::format(", {} {}", high_open ? "below" : "at most", high);
  return text;
}

template <class Config>
const BasicParameter<Config>& find_parameter(std::span<const BasicParameter<Config>> list, std::string_view name) {
  std::string names;
  for (const auto& p : list) {
    if (name == p.name) return p;
    names += (names.empty() ? "" : ", ") + std::string(p.name);
  }
  throw core::UsageError(fmt::format("unknown parameter '{}'; allowed: {}", name, names));
}

template <class Config>
std::string get(const Config& config, const BasicParameter<Config>& p) {
  return std::visit(
      [&](auto field) -> std::string {
        const auto& value = config.*field;
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
          return value ? "on" : "off";
        else if constexpr (std::is_same_v<Value, std::vector<std::uint64_t>>)
          return fmt::format("{}", fmt::join(value, ","));
        else
          return fmt::format("{}", value);
      },
      p.field);
}

template <class Config>
void set(Config& config, const BasicParameter<Config>& p, std::string_view text) {
  if (auto* whole = std::get_if<std::uint64_t Config::*>(&p.field)) {
    config.** whole = whole_in_range(p, text, text);
  } else if (auto* real = std::get_if<double Config::*>(&p.field)) {
    config.** real = number_in_range(p, text, text);
  } else if (auto* flag = std::get_if<bool Config::*>(&p.field)) {
    if (text != "on" && text != "off" && text != "true" && text != "false") refuse(p, text);
    config.** flag = text == "on" || text == "true";
  } else if (auto* wholes = std::get_if<std::vector<std::uint64_t> Config::*>(&p.field)) {
    std::vector<std::uint64_t> values;
    for (std::size_t from = 0, to; from <= text.size(); from = to + 1) {
      to = std::min(text.find(',', from), text.size());
      values.push_back(whole_in_range(p, text.substr(from, to - from), text));
    }
    config.** wholes = std::move(values);
  } else {
    if (!is_choice(p.choices(), text)) refuse(p, text);
    config.*std::get<std::string Config::*>(p.field) = std::string(text);
  }
}

template <class Config>
std::vector<Setting> list_settings(std::span<const BasicParameter<Config>> list, const Config& config) {
  std::vector<Setting> settings;
  for (const auto& p : list) settings.emplace_back(p.name, get(config, p));
  return settings;
}

}  // namespace accrete::boosting
