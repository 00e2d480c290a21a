#pragma once
// PNG files in folders named after their class: CLASS/*.png, or train/CLASS/*.png and test/CLASS/*.png.
//
// All images are of one size. They have one channel when every one of them is grey, else three. Palettes are looked up
// (and count as colours), 16 bits become 8, and what is transparent is laid over black. Values are sRGB: a file that
// says that its own have another gamma is converted.

#include <string>

#include "accrete/deep/examples/images.hpp"

namespace accrete::deep {

/// Whether there are folders in it.
bool is_png_folder(const std::string& folder);

/// In the order of the classes' names, then of the files'. Names that begin with a point are left out. Throws FileError
/// for what cannot be read, DataError for a class without images, a file in a class's folder that is no PNG by its
/// name, and images of two sizes.
Images read_png_folder(const std::string& folder, ImageSubset part, core::Workers& workers);

}  // namespace accrete::deep
