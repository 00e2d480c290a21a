#pragma once
// One parameter of a configuration: its name, field, range and meaning. Lists of these (boosting/parameters,
// baseline/parameters) are where flags, checks, documentation and the record in a model file come from.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace accrete::boosting {

/// A parameter as text, by name: what a user overrides, and what a model file records.
using Setting = std::pair<std::string, std::string>;

/// Definitions are in parameter-inl.hpp, for the file that has the list.
template <class Config>
struct BasicParameter {
  using Field = std::variant<std::uint64_t Config::*, double Config::*, bool Config::*, std::string Config::*,
                             std::vector<std::uint64_t> Config::*>;

  const char* name;  ///< snake_case; the flag is --kebab-case
  Field field;
  const char* summary;
  double low = 0.0;  ///< numbers: allowed range
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< the lower end itself is not allowed
  bool high_open = false;
  std::string (*choices)() = nullptr;  ///< texts: what is allowed, "a, b, c"

  std::string flag() const;   ///< "--units-per-step"
  std::string range() const;  ///< "above 0, at most 1", "on or off", "logistic, tanh, relu"
};

/// Throws UsageError listing the names.
template <class Config>
const BasicParameter<Config>& find_parameter(std::span<const BasicParameter<Config>> list, std::string_view name);

template <class Config>
std::string get(const Config& config, const BasicParameter<Config>& parameter);

/// Throws UsageError naming flag, what was given and what is allowed.
template <class Config>
void set(Config& config, const BasicParameter<Config>& parameter, std::string_view text);

/// Every parameter of the list, as text.
template <class Config>
std::vector<Setting> list_settings(std::span<const BasicParameter<Config>> list, const Config& config);

}  // namespace accrete::boosting
