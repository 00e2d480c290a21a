#pragma once
// A temporary folder for a test, and small image files to write into it.

#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/core/temporary_folder.hpp"

namespace accrete::deep {

class ImageFiles : public core::TemporaryFolder {
 public:
  void write_gz(const std::string& name, const std::string& bytes) const {
    gzFile file = gzopen(path(name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }

  /// `format` is that of libpng's simplified interface; values are bytes, or 16 bits for a linear format.
  void write_png(const std::string& name, std::uint32_t width, std::uint32_t height, std::uint32_t format,
                 const void* values) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    if (!png_image_write_to_file(&image, path(name).c_str(), 0, values, 0, nullptr))
      throw std::runtime_error(image.message);
  }
};

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

/// Images of 2 x 3 whose bytes count up from `first`.
inline std::string idx_images(std::uint32_t count, int first = 0) {
  std::string bytes = big_endian(0x803) + big_endian(count) + big_endian(2) + big_endian(3);
  for (std::uint32_t i = 0; i < 6 * count; ++i) bytes += static_cast<char>(first + static_cast<int>(i));
  return bytes;
}

inline std::string idx_labels(const std::vector<int>& labels) {
  std::string bytes = big_endian(0x801) + big_endian(static_cast<std::uint32_t>(labels.size()));
  for (const int label : labels) bytes += static_cast<char>(label);
  return bytes;
}

}  // namespace accrete::deep
