#pragma once
// The one list of parameters: names, ranges and what they mean. Command-line flags, the model file's record of how it
// was made, docs/parameters.md and the checks all come from here.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "accrete/boosting/config.hpp"

namespace accrete::boosting {

struct Parameter {
  using Field = std::variant<std::uint64_t Config::*, double Config::*, bool Config::*, std::string Config::*>;

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

std::span<const Parameter> parameters();

/// Throws UsageError listing the names.
const Parameter& parameter_named(std::string_view name);

std::string get(const Config& config, const Parameter& parameter);

/// Throws UsageError naming flag, what was given and what is allowed.
void set(Config& config, const Parameter& parameter, std::string_view text);

/// A parameter as text, by name: what a user overrides, and what a model file records.
using Setting = std::pair<std::string, std::string>;

/// Enough to make the config again from the defaults.
std::vector<Setting> settings_of(const Config& config);

}  // namespace accrete::boosting
