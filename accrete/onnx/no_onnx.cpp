#include "accrete/core/error.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/onnx/onnx.hpp"

namespace accrete::onnx {

std::string write(const model::Model& model, const Options&) {
  model::require_grown(model, "ONNX");
  throw core::Error("this build of accrete cannot write ONNX: it was built without ONNX's schema and protobuf");
}

}  // namespace accrete::onnx
