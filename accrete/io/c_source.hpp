#pragma once
// Exports a model as a single C99 header: no allocation, no library except math.h, the dial as an argument.

#include <string>

#include "accrete/model/model.hpp"

namespace accrete::io {

struct CSourceOptions {
  std::string name;  ///< prefix of all names in the header; a C identifier
};

/// Makes a C identifier from a path: "build/my-model.h" gives "my_model".
std::string c_name(const std::string& path);

/// The text of the header. Throws UsageError for a name that is not a C identifier, DataError for a model that cannot
/// be expressed in C.
std::string c_source(const model::Model& model, const CSourceOptions& options);

}  // namespace accrete::io
