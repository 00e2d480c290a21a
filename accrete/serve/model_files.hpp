#pragma once
// Which model files are served, under which names and versions.

#include <cstdint>
#include <string>
#include <vector>

namespace accrete::serve {

struct ModelFile {
  std::string name;
  std::uint64_t version = 1;
  std::string path;
  bool from_folder = false;  ///< found in a folder: no longer served once it is removed

  bool operator==(const ModelFile&) const = default;
};

/// The files of the arguments, by name and version:
///
///   ttt.safetensors        model ttt, version 1
///   won=ttt.safetensors    model won, version 1
///   models/                models/NAME.safetensors (version 1) and models/NAME/VERSION.safetensors
///
/// Throws FileError for an argument that is neither a file nor a folder, UsageError for a name and version that two
/// files have, or a name that a URL cannot hold.
std::vector<ModelFile> find_model_files(const std::vector<std::string>& arguments);

}  // namespace accrete::serve
