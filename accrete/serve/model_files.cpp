#include "accrete/serve/model_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::serve {
namespace {

namespace fs = std::filesystem;
constexpr const char* ending = ".safetensors";

/// "3" of models/NAME/3.safetensors. A version is a whole number above 0.
std::optional<std::uint64_t> version_of(const fs::path& file) {
  const std::string text = file.stem().string();
  std::uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size() || version == 0 || text.front() == '0')
    return std::nullopt;
  return version;
}

bool is_model(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.path().extension() == ending && entry.is_regular_file(error) && !error;
}

/// Calls visit(entry) for the entries of a folder.
template <typename Visit>
std::error_code for_each_entry(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) visit(*at);
  return error;
}

bool is_folder(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_directory(error) && !error;
}

/// Adds the versions of models/NAME; none if it cannot be read.
void add_versions(const fs::path& folder, std::vector<ModelFile>& files) {
  for_each_entry(folder, [&](const fs::directory_entry& entry) {
    if (const auto version = is_model(entry) ? version_of(entry.path()) : std::nullopt)
      files.push_back({folder.filename().string(), *version, entry.path().string(), true});
  });
}

void add_folder(const fs::path& folder, std::vector<ModelFile>& files) {
  const auto error = for_each_entry(folder, [&](const fs::directory_entry& entry) {
    if (is_model(entry))
      files.push_back({entry.path().stem().string(), 1, entry.path().string(), true});
    else if (is_folder(entry))
      add_versions(entry.path(), files);
  });
  if (error) throw core::FileError(fmt::format("{}: {}", folder.string(), error.message()));
}

void add_argument(const std::string& argument, std::vector<ModelFile>& files) {
  std::error_code error;
  if (fs::is_directory(argument, error)) return add_folder(argument, files);
  const auto equals = argument.find('=');
  const bool named = equals != std::string::npos && !fs::exists(argument, error);
  const fs::path path = named ? argument.substr(equals + 1) : argument;
  if (!fs::is_regular_file(path, error))
    throw core::FileError(fmt::format("{}: no such file or folder", path.string()));
  files.push_back({named ? argument.substr(0, equals) : path.stem().string(), 1, path.string(), false});
}

void check_name(const ModelFile& file) {
  constexpr std::size_t max_length = 200;
  if (file.name.empty() || file.name.size() > max_length || file.name.find('/') != std::string::npos ||
      std::ranges::any_of(file.name, [](unsigned char c) { return c < ' '; }))
    throw core::UsageError(fmt::format("{}: '{}' cannot be the name of a model; use NAME=FILE", file.path, file.name));
}

}  // namespace

std::vector<ModelFile> find_model_files(const std::string& argument) {
  std::vector<ModelFile> files;
  add_argument(argument, files);
  std::ranges::for_each(files, check_name);
  for (ModelFile& file : files) file.argument = argument;
  return files;
}

std::vector<ModelFile> find_model_files(const std::vector<std::string>& arguments) {
  std::vector<ModelFile> files;
  for (const std::string& argument : arguments)
    std::ranges::move(find_model_files(argument), std::back_inserter(files));
  std::ranges::sort(files, {}, [](const ModelFile& file) { return std::tie(file.name, file.version, file.path); });
  for (std::size_t i = 1; i < files.size(); ++i)
    if (files[i].name == files[i - 1].name && files[i].version == files[i - 1].version)
      throw core::UsageError(same_version_message(files[i - 1], files[i]));
  return files;
}

std::string same_version_message(const ModelFile& a, const ModelFile& b) {
  return fmt::format("{} and {} are both version {} of model '{}'; name one with NAME=FILE", a.path, b.path, a.version,
                     a.name);
}

}  // namespace accrete::serve
