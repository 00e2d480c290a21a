#pragma once
// The served models. Changed files are reloaded; requests keep the model they started with.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/serve/model_files.hpp"
#include "accrete/serve/served_model.hpp"

namespace accrete::serve {

/// A change to the served models.
struct RepositoryEvent {
  enum class Kind { loaded, reloaded, removed, refused };
  Kind kind;
  std::string model, version;  ///< empty if an argument cannot be read
  std::string message = {};    ///< refused: why the old model stays
};

/// "loaded", "reloaded", "removed" or "refused"
const char* event_name(RepositoryEvent::Kind kind);

/// Thread-safe, except that only one thread may call refresh.
class Repository {
 public:
  /// Loads all models. Throws as find_model_files and io::load_model do, and UsageError if there is no model.
  explicit Repository(std::vector<std::string> arguments);

  /// The named version, or the highest if the version is empty. Throws RequestError with status 404.
  std::shared_ptr<const ServedModel> find(std::string_view name, std::string_view version = {}) const;
  /// The versions of a model, ascending. Throws as find does.
  std::vector<std::string> versions(std::string_view name) const;
  std::vector<std::shared_ptr<const ServedModel>> list() const;

  /// Checks the files for changes. A file that cannot be loaded is refused once, and its old model stays; so do the
  /// models of an argument that cannot be read.
  std::vector<RepositoryEvent> refresh();

 private:
  /// Detects changes of a file: a replaced file has another inode, a file written in place another time or size.
  struct Stamp {
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t size = 0, inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Entry {
    ModelFile file;
    Stamp stamp;
    std::shared_ptr<const ServedModel> served;  ///< null if the first load of a new file failed
  };
  using Versions = std::map<std::uint64_t, Entry>;

  static Stamp stamp_of(const std::string& path);
  static std::shared_ptr<const ServedModel> load(const ModelFile& file);
  std::vector<ModelFile> find_files(std::set<std::string>& problems) const;
  std::vector<ModelFile> without_duplicates(std::vector<ModelFile> files, std::set<std::string>& problems) const;
  void refresh_file(const ModelFile& file, std::vector<RepositoryEvent>& events);
  void remove_absent(const std::vector<ModelFile>& files, std::vector<RepositoryEvent>& events);

  std::vector<std::string> arguments_;
  std::set<std::string> problems_;   ///< with the arguments, at the last refresh
  mutable std::shared_mutex mutex_;  ///< guards models_; refresh, the only writer, reads without it
  std::map<std::string, Versions, std::less<>> models_;
};

}  // namespace accrete::serve
