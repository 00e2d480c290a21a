#pragma once
// Exports a model as one C99 header: no allocation, no library but math.h, the dial as an argument.

#include <string>

#include "accrete/model/model.hpp"

namespace accrete::io {

struct CSourceOptions {
  std::string name;  ///< prefix of every name in the header; a C identifier
};

/// A C identifier from a path: "build/my-model.h" gives "my_model".
std::string c_name(const std::string& path);

/// The header's text. Throws UsageError for a name that is not a C identifier, DataError for a model that C cannot
/// hold.
std::string c_source(const model::Model& model, const CSourceOptions& options);

}  // namespace accrete::io
