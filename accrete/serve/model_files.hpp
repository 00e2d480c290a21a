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
  bool from_folder = false;   ///< found in a folder, so removing the file ends serving
  std::string argument = {};  ///< the argument that gave this file

  bool operator==(const ModelFile&) const = default;
};

/// The files of one argument:
///
///   ttt.safetensors        model ttt, version 1
///   won=ttt.safetensors    model won, version 1
///   models/                models/NAME.safetensors (version 1) and models/NAME/VERSION.safetensors
///
/// Entries of a folder that cannot be read are left out. Throws FileError for an argument that is neither a file nor a
/// readable folder, UsageError if a URL cannot contain a name.
std::vector<ModelFile> find_model_files(const std::string& argument);

/// The files of the arguments, by name and version. Also throws UsageError if two have the same name and version.
std::vector<ModelFile> find_model_files(const std::vector<std::string>& arguments);

/// "a.safetensors and b/a.safetensors are both version 1 of model 'a'; ..."
std::string same_version_message(const ModelFile& a, const ModelFile& b);

}  // namespace accrete::serve
