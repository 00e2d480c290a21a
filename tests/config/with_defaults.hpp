#pragma once

#include "accrete/config/parameters.hpp"

namespace accrete::config {

/// `given`, with its unset fields taken from `defaults`.
inline Config with_defaults(const Config& given, const Config& defaults) {
  return parse_settings(settings_of(given), defaults);
}

}  // namespace accrete::config
