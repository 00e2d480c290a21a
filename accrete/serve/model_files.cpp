#include "accrete/serve/model_files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

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

void add_folder(const fs::path& folder, std::vector<ModelFile>& files) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_model(entry)) {
      files.push_back({entry.path().stem().string(), 1, entry.path().string(), true});
    } else if (entry.is_directory(error)) {
      for (const auto& inner : fs::directory_iterator(entry.path(), error))
        if (const auto version = is_model(inner) ? version_of(inner.path()) : std::nullopt)
          files.push_back({entry.path().filename().string(), *version, inner.path().string(), true});
    }
  }
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

std::vector<ModelFile> find_model_files(const std::vector<std::string>& arguments) {
  std::vector<ModelFile> files;
  for (const std::string& argument : arguments) add_argument(argument, files);
  std::ranges::for_each(files, check_name);
  std::ranges::sort(files, {}, [](const ModelFile& file) { return std::tie(file.name, file.version, file.path); });
  for (std::size_t i = 1; i < files.size(); ++i)
    if (files[i].name == files[i - 1].name && files[i].version == files[i - 1].version)
      throw core::UsageError(fmt::format("{} and {} are both version {} of model '{}'; name one with NAME=FILE",
                                         files[i - 1].path, files[i].path, files[i].version, files[i].name));
  return files;
}

}  // namespace accrete::serve
