#include "accrete/deep/dataset/idx.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "accrete/core/error.hpp"
#include "accrete/io/text_file.hpp"

namespace accrete::deep {
namespace {

constexpr std::uint32_t images_magic = 0x803, labels_magic = 0x801;

/// The path of the file under any of its names; unset if there is none. `stem` is "train-images", `kind` "idx3-ubyte".
std::optional<std::string> find_file(const std::string& folder, const std::string& stem, const std::string& kind) {
  for (const char* separator : {"-", "."})
    for (const char* suffix : {"", ".gz"}) {
      const auto path = std::filesystem::path(folder) / fmt::format("{}{}{}{}", stem, separator, kind, suffix);
      std::error_code error;
      if (std::filesystem::is_regular_file(path, error)) return path.string();
    }
  return std::nullopt;
}

std::string require_file(const std::string& folder, const std::string& stem, const std::string& kind) {
  if (const auto path = find_file(folder, stem, kind)) return *path;
  throw core::FileError(fmt::format("{}: no {} images found; looked for {}-{}, gzipped or not", folder,
                                    stem.starts_with("train") ? "training" : "test", stem, kind));
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

/// One idx file: the sizes after its magic number, and the bytes after them.
struct IdxFile {
  std::string path, text;
  std::vector<std::uint64_t> sizes;

  std::string_view bytes() const { return std::string_view(text).substr(4 * (1 + sizes.size())); }
};

IdxFile read_file(const std::string& path, std::uint32_t magic) {
  IdxFile file{path, io::read_text_file(path), {}};
  const std::size_t dimensions = magic & 0xFF, head = 4 * (1 + dimensions);
  const std::string_view text = file.text;
  if (text.size() < head || big_endian(text) != magic)
    throw core::DataError(fmt::format("{}: not an idx file of {}: it must start with the bytes {:08x} and {} sizes",
                                      path, magic == images_magic ? "images" : "labels", magic, dimensions));
  // The product of the 32-bit sizes may exceed 64 bits, so divide the length by each size instead.
  std::uint64_t left = text.size() - head;
  bool is_complete = true;
  for (std::size_t d = 0; d < dimensions; ++d) file.sizes.push_back(big_endian(text.substr(4 * (1 + d))));
  if (std::ranges::count(file.sizes, 0u) > 0) throw core::DataError(path + ": empty (a size in the header is 0)");
  for (const std::uint64_t size : file.sizes) {
    is_complete = is_complete && left % size == 0;
    left /= size;
  }
  if (!is_complete || left != 1)
    throw core::DataError(fmt::format("{}: {} bytes follow the header, which declares {}", path, text.size() - head,
                                      fmt::join(file.sizes, " x ")));
  return file;
}

void append_images(Images& images, const std::string& folder, const std::string& name) {
  const IdxFile pixels = read_file(require_file(folder, name + "-images", "idx3-ubyte"), images_magic);
  const IdxFile labels = read_file(require_file(folder, name + "-labels", "idx1-ubyte"), labels_magic);
  const auto count = static_cast<std::int64_t>(pixels.sizes[0]), height = static_cast<std::int64_t>(pixels.sizes[1]),
             width = static_cast<std::int64_t>(pixels.sizes[2]);
  if (pixels.sizes[0] != labels.sizes[0])
    throw core::DataError(
        fmt::format("{} has {} images, but {} has {} labels", pixels.path, count, labels.path, labels.sizes[0]));
  if (images.count > 0 && (images.height != height || images.width != width))
    throw core::DataError(fmt::format("{}: images are {} x {}; the training images are {} x {}", pixels.path, height,
                                      width, images.height, images.width));
  images.count += count;
  images.height = height;
  images.width = width;
  images.pixels.insert(images.pixels.end(), pixels.bytes().begin(), pixels.bytes().end());
  for (const char label : labels.bytes()) images.labels.push_back(static_cast<unsigned char>(label));
}

}  // namespace

bool is_idx_folder(const std::string& folder) {
  for (const char* part : {"train", "t10k"})
    for (const auto& [what, kind] : {std::pair{"-images", "idx3-ubyte"}, std::pair{"-labels", "idx1-ubyte"}})
      if (find_file(folder, std::string(part) + what, kind)) return true;
  return false;
}

Images read_idx(const std::string& folder, ImageSubset part) {
  Images images;
  images.source = folder;
  images.channels = 1;
  if (part != ImageSubset::test) append_images(images, folder, "train");
  if (part != ImageSubset::train) append_images(images, folder, "t10k");
  const std::int32_t last = *std::ranges::max_element(images.labels);
  for (std::int32_t label = 0; label <= last; ++label) images.classes.push_back(std::to_string(label));
  return images;
}

}  // namespace accrete::deep
