#pragma once
// Images and labels in the format of MNIST: big-endian sizes, then bytes.
//
//   images   0x00000803, count, height, width, pixels     train-images-idx3-ubyte   t10k-images-idx3-ubyte
//   labels   0x00000801, count, labels                    train-labels-idx1-ubyte   t10k-labels-idx1-ubyte
//
// Each may be gzipped, with .gz behind its name, and may have a point for the last hyphen but one ("images.idx3"), as
// some programs unpack them.

#include <string>

#include "accrete/deep/examples/images.hpp"

namespace accrete::deep {

/// Whether one of the files is there.
bool is_idx_folder(const std::string& folder);

/// One channel; classes are the labels' numbers. Throws FileError for a file that is missing or cannot be read,
/// DataError for one whose first bytes or length are not as above, and for images without a label each.
Images read_idx(const std::string& folder, ImageSubset part);

}  // namespace accrete::deep
