#pragma once
// Reads and writes model files: safetensors containers, specified in docs/model-format.md.
//
// Files are untrusted. Any error is a FileError of one line that starts with the path, and memory is bounded by a small
// multiple of the file's size.

#include <string>
#include <string_view>

#include "accrete/model/model.hpp"

namespace accrete::io {

/// Writes the file atomically (io/atomic_file). Throws DataError if the model is inconsistent or a text is not UTF-8,
/// FileError if the file cannot be written.
void save_model(const model::Model& model, const std::string& path);

/// Throws FileError.
model::Model load_model(const std::string& path);

/// The bytes of the file; the same model always gives the same bytes. Throws DataError as save_model does.
std::string serialise(const model::Model& model);

/// Reads a model from the bytes of a file; messages start with `source`. Throws FileError.
model::Model parse_model(std::string_view bytes, const std::string& source);

}  // namespace accrete::io
