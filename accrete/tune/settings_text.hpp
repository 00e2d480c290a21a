#pragma once
// The settings of a fit as a part of its key (tune/records.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/config/parameter.hpp"

namespace accrete::tune {

/// " name=value" for each setting, without the seed, which the key has apart, and the metric of a validation set, which
/// these fits do not have. Constraints are listed only if there are any: fits that were stored before a model could
/// have them are found.
inline std::string settings_text(const std::vector<config::Setting>& settings) {
  const config::Setting unconstrained[] = {{"monotone", "none"}, {"interactions", "all"}};
  std::string text;
  for (const config::Setting& setting : settings) {
    const bool is_left_out = setting.first == "seed" || setting.first == "metric" ||
                             std::ranges::find(unconstrained, setting) != std::end(unconstrained);
    if (!is_left_out) text += fmt::format(" {}={}", setting.first, setting.second);
  }
  return text;
}

}  // namespace accrete::tune
