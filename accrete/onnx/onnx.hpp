#pragma once
// Exports a model as an ONNX file: opset 13, IR version 8.
//
// onnx.cpp is compiled if ONNX's schema and protobuf are available, otherwise no_onnx.cpp.

#include <string>

#include "accrete/model/model.hpp"

namespace accrete::onnx {

struct Options {
  bool dial = false;  ///< adds an optional input `units` that selects a prefix of the network at run time
};

/// The bytes of the file. Throws UsageError or DataError for a model that ONNX cannot represent, core::Error if this
/// build has no ONNX support.
std::string write(const model::Model& model, const Options& options = {});

}  // namespace accrete::onnx
