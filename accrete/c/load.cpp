// Creates and frees handles.

#include <memory>
#include <string_view>
#include <utility>

#include "accrete/c/guard.hpp"
#include "accrete/c/handle.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/model/plain.hpp"

using accrete::c::guarded;
using accrete::c::require;

namespace {

/// Only grown models can predict without allocating, as accrete.h guarantees.
accrete::model::Model grown(accrete::model::Model loaded) {
  accrete::model::require_grown(loaded, "accrete_load");
  return loaded;
}

}  // namespace

accrete_model::accrete_model(accrete::model::Model loaded)
    : model(grown(std::move(loaded))),
      workspace(accrete::model::workspace_size(model)),
      description(accrete::c::describe(model)),
      levels(model.encoder.inputs().begin(), model.encoder.inputs().end()) {}

accrete_status accrete_load(const char* path, accrete_model** model, char* error, size_t error_size) noexcept {
  if (model) *model = nullptr;
  return guarded({error, error_size}, [&] {
    require(path, "accrete_load", "path");
    require(model, "accrete_load", "model");
    *model = std::make_unique<accrete_model>(accrete::io::load_model(path)).release();
  });
}

accrete_status accrete_load_bytes(const void* bytes, size_t size, accrete_model** model, char* error,
                                  size_t error_size) noexcept {
  if (model) *model = nullptr;
  return guarded({error, error_size}, [&] {
    require(bytes, "accrete_load_bytes", "bytes");
    require(model, "accrete_load_bytes", "model");
    const std::string_view file(static_cast<const char*>(bytes), size);
    *model = std::make_unique<accrete_model>(accrete::io::parse_model(file, "the bytes")).release();
  });
}

void accrete_free(accrete_model* model) noexcept {
  delete model;
}
