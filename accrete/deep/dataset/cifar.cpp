#include "accrete/deep/dataset/cifar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "accrete/core/error.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/io/utf8.hpp"

namespace accrete::deep {
namespace {

namespace fs = std::filesystem;

/// File names and record format of one of the two data sets.
struct CifarLayout {
  std::vector<std::string> train;
  std::string test, names;
  std::size_t labels;  ///< label bytes before the pixels; the last one is the label
  std::size_t classes;
};

const CifarLayout& cifar10() {
  static const CifarLayout layout{
      {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
      "test_batch.bin",
      "batches.meta.txt",
      1,
      10};
  return layout;
}

const CifarLayout& cifar100() {
  static const CifarLayout layout{{"train.bin"}, "test.bin", "fine_label_names.txt", 2, 100};
  return layout;
}

bool is_file(const std::string& folder, const std::string& name) {
  std::error_code error;
  return fs::is_regular_file(fs::path(folder) / name, error);
}

bool has_batch(const std::string& folder, const CifarLayout& layout) {
  return is_file(folder, layout.test) ||
         std::ranges::any_of(layout.train, [&](const auto& name) { return is_file(folder, name); });
}

std::vector<std::string> class_names(const std::string& folder, const CifarLayout& layout) {
  std::vector<std::string> names;
  if (!is_file(folder, layout.names)) {
    for (std::size_t k = 0; k < layout.classes; ++k) names.push_back(std::to_string(k));
    return names;
  }
  const std::string path = (fs::path(folder) / layout.names).string();
  std::istringstream lines(io::read_text_file(path));
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (io::find_invalid_utf8(line)) throw core::DataError(path + ": class names must be UTF-8");
    if (!line.empty()) names.push_back(line);
  }
  if (names.size() != layout.classes)
    throw core::DataError(fmt::format("{}: {} class names; must be {}", path, names.size(), layout.classes));
  return names;
}

void append_batch(Images& images, const std::string& path, const CifarLayout& layout) {
  const std::string bytes = io::read_text_file(path);
  const std::size_t pixels = images.bytes_each(), record = layout.labels + pixels;
  if (bytes.empty() || bytes.size() % record != 0)
    throw core::DataError(fmt::format("{}: has {} bytes; must be a multiple of {}, the size of a labelled image", path,
                                      bytes.size(), record));
  images.pixels.reserve(images.pixels.size() + bytes.size() / record * pixels);
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const auto label = static_cast<unsigned char>(bytes[at + layout.labels - 1]);
    if (label >= layout.classes)
      throw core::DataError(fmt::format("{}: image {} has the label {}; must be from 0 to {}", path, at / record + 1,
                                        label, layout.classes - 1));
    images.labels.push_back(label);
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at + layout.labels);
    images.pixels.insert(images.pixels.end(), first, first + static_cast<std::ptrdiff_t>(pixels));
  }
}

}  // namespace

bool is_cifar_folder(const std::string& folder) {
  return has_batch(folder, cifar10()) || has_batch(folder, cifar100());
}

Images read_cifar(const std::string& folder, ImageSubset part) {
  const CifarLayout& layout = has_batch(folder, cifar10()) ? cifar10() : cifar100();
  Images images;
  images.source = folder;
  images.channels = 3;
  images.height = images.width = 32;
  images.classes = class_names(folder, layout);
  std::vector<std::string> names;
  if (part != ImageSubset::test) names = layout.train;
  if (part != ImageSubset::train) names.push_back(layout.test);
  for (const auto& name : names) append_batch(images, (fs::path(folder) / name).string(), layout);
  images.count = static_cast<std::int64_t>(images.labels.size());
  return images;
}

}  // namespace accrete::deep
