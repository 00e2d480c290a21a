#pragma once
// The parameters of each plain method, from which flags, ranges, documentation and the record in a model file derive.

#include <span>
#include <string_view>
#include <vector>

#include "accrete/baseline/config.hpp"
#include "accrete/config/parameter.hpp"
#include "accrete/model/method.hpp"

namespace accrete::baseline {

using Parameter = config::BasicParameter<Config, ResolvedConfig>;
using config::Setting;

/// The parameters of a method other than boosting.
std::span<const Parameter> parameters(model::Method method);

/// Throws UsageError for a parameter that the method does not have (listing those it has) or a value outside its range.
Config parse_settings(model::Method method, std::span<const Setting> settings, Config base = {});

/// The method's defaults (AdaBoost trains its small networks by L-BFGS) overridden by the given values. Throws as
/// parse_settings does.
ResolvedConfig configure(model::Method method, const Config& given = {});

/// The method and all its parameters, as recorded in a model file.
std::vector<Setting> settings_of(model::Method method, const ResolvedConfig& config);

}  // namespace accrete::baseline
