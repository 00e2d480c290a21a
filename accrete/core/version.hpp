#pragma once

namespace accrete::core {

/// The library's version, "major.minor.patch".
const char* version();

}  // namespace accrete::core
