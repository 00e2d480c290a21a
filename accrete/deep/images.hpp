#pragma once
// Labelled images as they lie in a folder, of whichever of the known kinds it is.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"

namespace accrete::deep {

/// Which examples of a place that keeps some apart for testing; `every` is both, those for training first. A place that
/// keeps none apart gives all it has.
enum class Part { train, test, every };

struct Images {
  std::string source;  ///< for messages
  std::int64_t count = 0, channels = 0, height = 0, width = 0;
  std::vector<std::uint8_t> pixels;  ///< count x channels x height x width
  std::vector<std::int32_t> labels;  ///< of each image: its place among the classes
  std::vector<std::string> classes;  ///< in the order in which the folder has them; some may have no image

  std::size_t bytes_each() const { return static_cast<std::size_t>(channels * height * width); }
};

/// From a folder of idx files (deep/idx.hpp), CIFAR's batches (deep/cifar.hpp) or PNG files by class
/// (deep/png_folder.hpp). Throws DataError for a folder that is none of these, saying what was looked for.
Images read_images(const std::string& folder, Part part, core::Workers& workers);

}  // namespace accrete::deep
