#pragma once
// The list of parameters: names, ranges and meanings. Command-line flags, the record in a model file,
// docs/parameters.md and the range checks are generated from it.

#include <span>
#include <string_view>
#include <vector>

#include "accrete/config/config.hpp"
#include "accrete/config/parameter.hpp"

namespace accrete::config {

using Parameter = BasicParameter<Config, ResolvedConfig>;

std::span<const Parameter> parameters();

/// Throws UsageError that lists the names.
const Parameter& parameter_named(std::string_view name);

/// `base` with these settings. Throws UsageError for an unknown name or a value outside its range.
Config parse_settings(std::span<const Setting> settings, Config base = {});

/// Every parameter as text, sufficient to restore the config.
std::vector<Setting> settings_of(const ResolvedConfig& config);
/// The given parameters as text.
std::vector<Setting> settings_of(const Config& given);

/// Overwrites the fields of config for which a value is given. Throws UsageError for a value outside its range.
void overwrite(ResolvedConfig& config, const Config& given);

}  // namespace accrete::config
