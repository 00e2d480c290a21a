#pragma once
// The parameters of each plain method: flags, ranges, documentation and the record in a model file come from here.

#include <span>
#include <string_view>
#include <vector>

#include "accrete/baseline/config.hpp"
#include "accrete/boosting/parameter.hpp"
#include "accrete/model/method.hpp"

namespace accrete::baseline {

using Parameter = boosting::BasicParameter<Config>;
using boosting::Setting;

/// Those of a method, which is not boosting.
std::span<const Parameter> parameters(model::Method method);

/// The method's defaults (AdaBoost trains its small networks by L-BFGS) with the overrides applied. Throws UsageError
/// for a parameter the method does not have, listing those it has, and for a value outside its range.
Config configure(model::Method method, std::span<const Setting> overrides);

/// The method and all its parameters: what a model file records.
std::vector<Setting> settings_of(model::Method method, const Config& config);

}  // namespace accrete::baseline
