#pragma once
// Definitions of parameter.hpp. Every file with a list of parameters includes them and instantiates them for its
// configuration.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "accrete/config/parameter.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/escape.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/data/table.hpp"

namespace accrete::config {

inline constexpr double max_whole_number = 9007199254740991.0;  // 2^53 - 1: doubles represent all integers up to here

inline bool AllowedValues::contains(double x) const {
  return std::isfinite(x) && x >= low && x <= high && !(low_open && x == low) && !(high_open && x == high);
}

inline bool AllowedValues::contains(std::string_view text) const {
  if (text.empty() || text.find(',') != std::string_view::npos) return false;
  return (", " + choices() + ",").find(", " + std::string(text) + ",") != std::string::npos;
}

// Text to value. Unset if the text cannot be parsed.

inline std::optional<double> parse_value(std::string_view text, std::type_identity<double>) {
  return data::parse_number(text);
}

inline std::optional<std::uint64_t> parse_value(std::string_view text, std::type_identity<std::uint64_t>) {
  const auto x = data::parse_number(text);
  if (!x || !(*x >= 0.0 && *x <= max_whole_number) || *x != std::floor(*x)) return std::nullopt;
  return static_cast<std::uint64_t>(*x);
}

inline std::optional<bool> parse_value(std::string_view text, std::type_identity<bool>) {
  if (text != "on" && text != "off" && text != "true" && text != "false") return std::nullopt;
  return text == "on" || text == "true";
}

inline std::optional<std::string> parse_value(std::string_view text, std::type_identity<std::string>) {
  return std::string(text);
}

/// A comma-separated list, or "none".
template <class T>
std::optional<std::vector<T>> parse_value(std::string_view text, std::type_identity<std::vector<T>>) {
  std::vector<T> values;
  for (std::size_t from = 0, to; from <= text.size() && text != "none"; from = to + 1) {
    to = std::min(text.find(',', from), text.size());
    const auto value = parse_value(text.substr(from, to - from), std::type_identity<T>{});
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

inline std::optional<Monotone> parse_value(std::string_view text, std::type_identity<Monotone>) {
  return parse_monotone(text);
}

inline std::optional<Interactions> parse_value(std::string_view text, std::type_identity<Interactions>) {
  return parse_interactions(text);
}

inline std::optional<ClassWeights> parse_value(std::string_view text, std::type_identity<ClassWeights>) {
  return parse_class_weights(text);
}

inline std::optional<GroupWeights> parse_value(std::string_view text, std::type_identity<GroupWeights>) {
  return parse_group_weights(text);
}

/// Names of columns or classes; the fit checks that they exist.
template <class T>
inline constexpr bool has_names = std::is_same_v<T, Monotone> || std::is_same_v<T, Interactions> ||
                                  std::is_same_v<T, ClassWeights> || std::is_same_v<T, GroupWeights>;

// Value to text.

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "on" : "off";
  else if constexpr (std::is_same_v<T, std::vector<std::uint64_t>> || std::is_same_v<T, std::vector<double>>)
    return value.empty() ? "none" : fmt::format("{}", fmt::join(value, ","));
  else if constexpr (has_names<T>)
    return text_of(value);
  else
    return fmt::format("{}", value);
}

template <class T>
bool is_allowed(const AllowedValues& allowed, const T& value) {
  if constexpr (std::is_same_v<T, bool> || has_names<T>)
    return true;
  else if constexpr (std::is_same_v<T, std::string>)
    return allowed.contains(std::string_view(value));
  else if constexpr (std::is_same_v<T, std::vector<std::uint64_t>>)
    return !value.empty() && std::ranges::all_of(value, [&](std::uint64_t x) { return is_allowed(allowed, x); });
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    return std::ranges::all_of(value, [&](double x) { return is_allowed(allowed, x); });
  else
    return allowed.contains(static_cast<double>(value));
}

template <class Given, class Resolved>
[[noreturn]] void refuse(const BasicParameter<Given, Resolved>& p, std::string_view given) {
  throw core::UsageError(
      core::parameter(p.name, given),
      "must be " + p.range() + (p.allowed.choices ? core::did_you_mean(given, p.allowed.choices()) : ""));
}

template <class Given, class Resolved>
std::string BasicParameter<Given, Resolved>::range() const {
  if (std::holds_alternative<Field<bool>>(field)) return "on or off";
  if (std::holds_alternative<Field<Monotone>>(field)) return "none, or columns with + or -, such as age:+,price:-";
  if (std::holds_alternative<Field<Interactions>>(field)) return "all, none, or groups of columns, such as a,b;c,d";
  if (std::holds_alternative<Field<ClassWeights>>(field))
    return "none, balanced, or classes with weights above 0, such as spam:5,ham:1";
  if (std::holds_alternative<Field<GroupWeights>>(field))
    return "none, a column, or a column with weights above 0, such as region:north=2,south=1";
  if (allowed.choices) return "one of " + allowed.choices();
  std::string text;
  if (std::holds_alternative<Field<std::uint64_t>>(field)) text = "a whole number, ";
  if (std::holds_alternative<Field<std::vector<std::uint64_t>>>(field)) text = "comma-separated whole numbers, each ";
  if (std::holds_alternative<Field<std::vector<double>>>(field)) text = "none, or comma-separated numbers, each ";
  text += fmt::format("{} {}", allowed.low_open ? "above" : "at least", allowed.low);
  if (std::isfinite(allowed.high))
    text += fmt::format(", {} {}", allowed.high_open ? "below" : "at most", allowed.high);
  return text;
}

template <class Given, class Resolved>
const BasicParameter<Given, Resolved>& find_parameter(std::span<const BasicParameter<Given, Resolved>> list,
                                                      std::string_view name) {
  std::string names;
  for (const auto& p : list) {
    if (name == p.name) return p;
    names += (names.empty() ? "" : ", ") + std::string(p.name);
  }
  throw core::UsageError(
      fmt::format("unknown parameter {}; allowed: {}{}", core::quote(name), names, core::did_you_mean(name, names)));
}

template <class Given, class Resolved>
std::string get(const Resolved& config, const BasicParameter<Given, Resolved>& p) {
  return std::visit([&](auto field) { return value_text(config.*field.resolved); }, p.field);
}

template <class Given, class Resolved>
std::optional<std::string> get(const Given& config, const BasicParameter<Given, Resolved>& p) {
  return std::visit(
      [&](auto field) -> std::optional<std::string> {
        const auto& value = config.*field.given;
        return value ? std::optional(value_text(*value)) : std::nullopt;
      },
      p.field);
}

template <class Given, class Resolved>
void set(Given& config, const BasicParameter<Given, Resolved>& p, std::string_view text) {
  std::visit(
      [&](auto field) {
        auto value = parse_value(text, std::type_identity<typename decltype(field)::Value>{});
        if (!value || !is_allowed(p.allowed, *value)) refuse(p, text);
        config.*field.given = std::move(*value);
      },
      p.field);
}

template <class Given, class Resolved>
std::string canonical(const BasicParameter<Given, Resolved>& p, std::string_view text) {
  Given config;
  set(config, p, text);
  return *get(config, p);
}

template <class Given, class Resolved>
void overwrite(std::span<const BasicParameter<Given, Resolved>> list, Resolved& config, const Given& given) {
  for (const auto& p : list)
    std::visit(
        [&](auto field) {
          const auto& value = given.*field.given;
          if (!value) return;
          if (!is_allowed(p.allowed, *value)) refuse(p, value_text(*value));
          config.*field.resolved = *value;
        },
        p.field);
}

}  // namespace accrete::config
