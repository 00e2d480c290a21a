#pragma once
// The one list of parameters: names, ranges and what they mean. Command-line flags, the model file's record of how it
// was made, docs/parameters.md and the checks all come from here.

#include <span>
#include <string_view>
#include <vector>

#include "accrete/boosting/config.hpp"
#include "accrete/boosting/parameter.hpp"

namespace accrete::boosting {

using Parameter = BasicParameter<Config>;

std::span<const Parameter> parameters();

/// Throws UsageError listing the names.
const Parameter& parameter_named(std::string_view name);

/// Enough to make the config again from the defaults.
std::vector<Setting> settings_of(const Config& config);

}  // namespace accrete::boosting
