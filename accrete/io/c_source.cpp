#include "accrete/io/c_source.hpp"

#include "accrete/core/error.hpp"

namespace accrete::io {

std::string c_name(const std::string&) {
  return "model";
}

std::string c_source(const model::Model&, const CSourceOptions&) {
  throw core::Error("not yet");
}

}  // namespace accrete::io
