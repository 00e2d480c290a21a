#pragma once
// Labelled images read from a folder in one of the supported formats.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"

namespace accrete::deep {

/// Which images to read from a folder that has a test set; `every` is both, training images first. A folder without a
/// test set returns all its images.
enum class ImageSubset { train, test, every };

struct Images {
  std::string source;  ///< for messages
  std::int64_t count = 0, channels = 0, height = 0, width = 0;
  std::vector<std::uint8_t> pixels;  ///< count x channels x height x width
  std::vector<std::int32_t> labels;  ///< class index of each image
  std::vector<std::string> classes;  ///< in the folder's order; a class may have no images

  std::size_t bytes_each() const { return static_cast<std::size_t>(channels * height * width); }
};

/// Reads a folder of idx files (deep/dataset/idx.hpp), CIFAR batches (deep/dataset/cifar.hpp) or PNG files by class
/// (deep/dataset/png_folder.hpp). Throws DataError for any other folder, listing the supported formats.
Images read_images(const std::string& folder, ImageSubset part, core::Workers& workers);

}  // namespace accrete::deep
