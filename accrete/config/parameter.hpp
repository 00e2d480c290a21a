#pragma once
// One parameter of a configuration: its name, field, allowed values and meaning. Lists of these (config/parameters,
// baseline/parameters) are the single source of flags, checks, documentation and the record in a model file.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accrete/config/constraints.hpp"
#include "accrete/config/row_weights.hpp"

namespace accrete::config {

/// A parameter's name and value as text, as on a command line and in a model file.
using Setting = std::pair<std::string, std::string>;

/// The values a parameter may take: a range of numbers, or one of several texts.
struct AllowedValues {
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< excludes the end itself
  bool high_open = false;
  std::string (*choices)() = nullptr;  ///< "a, b, c"

  constexpr AllowedValues at_most(double end) const { return {low, end, low_open, false}; }
  constexpr AllowedValues below(double end) const { return {low, end, low_open, true}; }
  bool contains(double x) const;               ///< false if not finite
  bool contains(std::string_view text) const;  ///< one of the choices
};

constexpr AllowedValues at_least(double end) {
  return {.low = end};
}
constexpr AllowedValues above(double end) {
  return {.low = end, .low_open = true};
}
constexpr AllowedValues one_of(std::string (*choices)()) {
  return {.choices = choices};
}

/// Given has optional fields, Resolved has plain ones. The functions are defined in parameter-inl.hpp, which each file
/// with a list of parameters includes.
template <class Given, class Resolved>
struct BasicParameter {
  template <class T>
  struct Field {
    using Value = T;
    std::optional<T> Given::*given;
    T Resolved::*resolved;
  };

  const char* name;  ///< snake_case
  std::variant<Field<std::uint64_t>, Field<double>, Field<bool>, Field<std::string>, Field<std::vector<std::uint64_t>>,
               Field<std::vector<double>>, Field<Monotone>, Field<Interactions>, Field<ClassWeights>,
               Field<GroupWeights>>
      field;
  const char* summary;
  AllowedValues allowed = {};

  std::string range() const;  ///< "above 0, at most 1", "on or off", "one of logistic, tanh, relu"
};

/// Throws UsageError that lists the names.
template <class Given, class Resolved>
const BasicParameter<Given, Resolved>& find_parameter(std::span<const BasicParameter<Given, Resolved>> list,
                                                      std::string_view name);

/// The value as text.
template <class Given, class Resolved>
std::string get(const Resolved& config, const BasicParameter<Given, Resolved>& parameter);
/// Unset if the parameter is not given.
template <class Given, class Resolved>
std::optional<std::string> get(const Given& config, const BasicParameter<Given, Resolved>& parameter);

/// Throws UsageError with the parameter, the text and the allowed values.
template <class Given, class Resolved>
void set(Given& config, const BasicParameter<Given, Resolved>& parameter, std::string_view text);

/// The canonical text of a value, as get writes it: 0.5 for 5e-1. Throws as set does.
template <class Given, class Resolved>
std::string canonical(const BasicParameter<Given, Resolved>& parameter, std::string_view text);

/// Overwrites the fields of config for which a value is given. Throws as set does.
template <class Given, class Resolved>
void overwrite(std::span<const BasicParameter<Given, Resolved>> list, Resolved& config, const Given& given);

}  // namespace accrete::config
