#pragma once
// A model as a file: a safetensors container, described in docs/model-format.md.
//
// A file is trusted with nothing. Whatever is wrong with it ends in one FileError of one line that begins
// with the path; what is allocated is bounded by a small multiple of the file's size.

#include <string>
#include <string_view>

#include "accrete/model/model.hpp"

namespace accrete::io {

/// Writes beside the path and renames, so that the path holds the old file or the whole new one.
/// Throws DataError when the model's parts disagree or a text is not UTF-8, FileError when it cannot be
/// written.
void save_model(const model::Model& model, const std::string& path);

/// Throws FileError.
model::Model load_model(const std::string& path);

/// The file's bytes: the same model gives the same bytes. Throws DataError as save_model does.
std::string serialise(const model::Model& model);

/// The model in the file's bytes; source stands first in messages. Throws FileError.
model::Model parse_model(std::string_view bytes, const std::string& source);

}  // namespace accrete::io
