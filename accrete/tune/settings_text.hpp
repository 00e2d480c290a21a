#pragma once
// The settings of a fit as a component of its key (tune/records.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/config/parameter.hpp"

namespace accrete::tune {

/// " name=value" for each setting, except the seed, which the key has separately, and the validation metric, because
/// these fits have no validation set. Constraints, quantiles and intervals are listed only if set, so that fits stored
/// by versions without them are still found.
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
