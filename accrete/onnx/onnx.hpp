#pragma once
// A model as an ONNX file, in ONNX's own schema: opset 13, IR 8.
//
// onnx.cpp is compiled where ONNX's schema and protobuf are there, no_onnx.cpp where they are not.

#include <string>

#include "accrete/model/model.hpp"

namespace accrete::onnx {

struct Options {
  bool dial = false;  ///< a second, optional input `units` cuts the network at run time
};

/// The file's bytes. Throws core::Error where this build cannot write ONNX.
std::string write(const model::Model& model, const Options& options = {});

}  // namespace accrete::onnx
