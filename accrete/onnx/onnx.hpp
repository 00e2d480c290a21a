#pragma once
// Exports a model as an ONNX file: opset 13, IR version 8.
//
// onnx.cpp is compiled if ONNX's schema and protobuf are found, else no_onnx.cpp.

#include <string>

#include "accrete/model/model.hpp"

namespace accrete::onnx {

struct Options {
  bool dial = false;  ///< adds an optional input `units`: use a prefix of the network at run time
};

/// The file's bytes. Throws UsageError or DataError for a model that ONNX cannot hold, core::Error if this build has no
/// ONNX.
std::string write(const model::Model& model, const Options& options = {});

}  // namespace accrete::onnx
