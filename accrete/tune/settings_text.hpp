#pragma once
// The settings of a fit as a part of its key (tune/records.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/config/parameter.hpp"

namespace accrete::tune {

/// " name=value" for each setting, without the seed, which the key has apart, and the metric of a validation set, which
/// these fits do not have. Constraints, quantiles and intervals are listed only if there are any: fits that were stored
/// before a model could have them are found.
inline std::string settings_text(const std::vector<config::Setting>& settings) {
  const config::Setting none[] = {{"monotone", "none"},
                                  {"interactions", "all"},
                                  {"quantiles", "none"},
                                  {"interval", "0"},
                                  {"calibration_fraction", "0.2"}};
  std::string text;
  for (const config::Setting& setting : settings) {
    const bool is_left_out =
        setting.first == "seed" || setting.first == "metric" || std::ranges::find(none, setting) != std::end(none);
    if (!is_left_out) text += fmt::format(" {}={}", setting.first, setting.second);
  }
  return text;
}

}  // namespace accrete::tune
