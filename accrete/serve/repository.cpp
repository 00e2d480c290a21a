#include "accrete/serve/repository.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/serve/request_error.hpp"

namespace accrete::serve {

const char* event_name(RepositoryEvent::Kind kind) {
  using Kind = RepositoryEvent::Kind;
  switch (kind) {
    case Kind::loaded:
      return "loaded";
    case Kind::reloaded:
      return "reloaded";
    case Kind::removed:
      return "removed";
    default:
      return "refused";
  }
}

Repository::Repository(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {
  for (const ModelFile& file : find_model_files(arguments_)) {
    const Stamp stamp = stamp_of(file.path);
    models_[file.name][file.version] = {file, stamp, load(file)};
  }
  if (models_.empty()) throw core::UsageError("no model files (NAME.safetensors or NAME/VERSION.safetensors) found");
}

Repository::Stamp Repository::stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
#ifdef __APPLE__
  const timespec time = info.st_mtimespec;
#else
  const timespec time = info.st_mtim;
#endif
  return {.seconds = time.tv_sec,
          .nanoseconds = time.tv_nsec,
          .size = static_cast<std::uint64_t>(info.st_size),
          .inode = info.st_ino};
}

std::shared_ptr<const ServedModel> Repository::load(const ModelFile& file) {
  return make_served_model(file.name, std::to_string(file.version), file.path, io::load_model(file.path));
}

std::shared_ptr<const ServedModel> Repository::find(std::string_view name, std::string_view version) const {
  const std::shared_lock lock(mutex_);
  const auto model = models_.find(name);
  if (model == models_.end()) throw RequestError(404, fmt::format("no model '{}'", name));
  std::shared_ptr<const ServedModel> found;
  for (const auto& [number, entry] : model->second)
    if (entry.served && (version.empty() || entry.served->version == version)) found = entry.served;
  if (!found) throw RequestError(404, fmt::format("no version '{}' of model '{}'", version, name));
  return found;
}

std::vector<std::string> Repository::versions(std::string_view name) const {
  find(name);
  const std::shared_lock lock(mutex_);
  std::vector<std::string> versions;
  if (const auto model = models_.find(name); model != models_.end())
    for (const auto& [number, entry] : model->second)
      if (entry.served) versions.push_back(entry.served->version);
  return versions;
}

std::vector<std::shared_ptr<const ServedModel>> Repository::list() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<const ServedModel>> all;
  for (const auto& [name, versions] : models_)
    for (const auto& [number, entry] : versions)
      if (entry.served) all.push_back(entry.served);
  return all;
}

std::vector<RepositoryEvent> Repository::refresh() {
  std::set<std::string> problems;
  const std::vector<ModelFile> files = without_duplicates(find_files(problems), problems);
  std::vector<RepositoryEvent> events;
  for (const std::string& problem : problems)
    if (!problems_.contains(problem))
      events.push_back({.kind = RepositoryEvent::Kind::refused, .model = {}, .version = {}, .message = problem});
  problems_ = std::move(problems);
  for (const ModelFile& file : files) refresh_file(file, events);
  remove_absent(files, events);
  return events;
}

/// The files of the arguments. An argument that cannot be read, such as a file that is being replaced, keeps its old
/// ones.
std::vector<ModelFile> Repository::find_files(std::set<std::string>& problems) const {
  std::vector<ModelFile> files;
  for (const std::string& argument : arguments_) {
    try {
      std::ranges::move(find_model_files(argument), std::back_inserter(files));
    } catch (const core::Error& error) {
      problems.insert(error.what());
      for (const auto& [name, versions] : models_)
        for (const auto& [number, entry] : versions)
          if (entry.file.argument == argument) files.push_back(entry.file);
    }
  }
  return files;
}

/// Of files with the same name and version, keeps the one that is already known, otherwise the first.
std::vector<ModelFile> Repository::without_duplicates(std::vector<ModelFile> files,
                                                      std::set<std::string>& problems) const {
  std::ranges::stable_partition(files, [&](const ModelFile& file) {
    const auto model = models_.find(file.name);
    if (model == models_.end()) return false;
    const auto version = model->second.find(file.version);
    return version != model->second.end() && version->second.file == file;
  });
  std::map<std::pair<std::string, std::uint64_t>, ModelFile> kept;
  for (const ModelFile& file : files)
    if (const auto [at, is_new] = kept.try_emplace({file.name, file.version}, file); !is_new)
      problems.insert(same_version_message(at->second, file));
  std::vector<ModelFile> unique;
  for (const auto& [key, file] : kept) unique.push_back(file);
  return unique;
}

void Repository::refresh_file(const ModelFile& file, std::vector<RepositoryEvent>& events) {
  using Kind = RepositoryEvent::Kind;
  const Stamp stamp = stamp_of(file.path);
  const auto model = models_.find(file.name);
  const Entry* old = nullptr;
  if (model != models_.end())
    if (const auto version = model->second.find(file.version); version != model->second.end()) old = &version->second;
  if (stamp == Stamp{} || (old && old->stamp == stamp && old->file == file)) return;
  RepositoryEvent event{
      .kind = old ? Kind::reloaded : Kind::loaded, .model = file.name, .version = std::to_string(file.version)};
  std::shared_ptr<const ServedModel> served = old ? old->served : nullptr;
  try {
    served = load(file);
  } catch (const core::Error& error) {
    event.kind = Kind::refused;
    event.message = error.what();
  } catch (const std::bad_alloc&) {
    event.kind = Kind::refused;
    event.message = fmt::format("{}: out of memory", file.path);
  }
  events.push_back(std::move(event));
  const std::unique_lock lock(mutex_);
  models_[file.name][file.version] = {file, stamp, std::move(served)};
}

/// Removes models of a folder whose file is gone. Named files stay, because replacing one may remove it briefly.
void Repository::remove_absent(const std::vector<ModelFile>& files, std::vector<RepositoryEvent>& events) {
  std::vector<ModelFile> absent;
  for (const auto& [name, versions] : models_)
    for (const auto& [number, entry] : versions)
      if (entry.file.from_folder && std::ranges::find(files, entry.file) == files.end()) absent.push_back(entry.file);
  const std::unique_lock lock(mutex_);
  for (const ModelFile& file : absent) {
    Versions& versions = models_[file.name];
    versions.erase(file.version);
    if (versions.empty()) models_.erase(file.name);
    events.push_back(
        {.kind = RepositoryEvent::Kind::removed, .model = file.name, .version = std::to_string(file.version)});
  }
}

}  // namespace accrete::serve
