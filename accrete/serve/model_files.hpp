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
  bool from_folder = false;  ///< found in a folder, so removing the file ends serving

  bool operator==(const ModelFile&) const = default;
};

/// The files of the arguments, by name and version:
///
///   ttt.safetensors        model ttt, version 1
///   won=ttt.safetensors    model won, version 1
///   models/                models/NAME.safetensors (version 1) and models/NAME/VERSION.safetensors
///
/// Throws FileError for an argument that is neither a file nor a folder, UsageError if two files have the same name and
/// version, or if a URL cannot contain a name.
std::vector<ModelFile> find_model_files(const std::vector<std::string>& arguments);

}  // namespace accrete::serve
