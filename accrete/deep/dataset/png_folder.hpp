#pragma once
// PNG files in folders named after their class: CLASS/*.png, or train/CLASS/*.png and test/CLASS/*.png.
//
// All images must have the same size. They have one channel if every image is greyscale, otherwise three. Palettes are
// expanded (and count as colour), 16 bits are reduced to 8, and transparent pixels are blended with black. Values are
// sRGB; a file that declares another gamma is converted.

#include <string>

#include "accrete/deep/dataset/images.hpp"

namespace accrete::deep {

/// True if it contains folders.
bool is_png_folder(const std::string& folder);

/// Sorted by class name, then by file name. Skips names that start with a dot. Throws FileError for files that cannot
/// be read, DataError for a class without images, a file in a class folder without the suffix .png, and images of
/// different sizes.
Images read_png_folder(const std::string& folder, ImageSubset part, core::Workers& workers);

}  // namespace accrete::deep
