#pragma once
// Images and labels in the format of MNIST: big-endian sizes, then bytes.
//
//   images   0x00000803, count, height, width, pixels     train-images-idx3-ubyte   t10k-images-idx3-ubyte
//   labels   0x00000801, count, labels                    train-labels-idx1-ubyte   t10k-labels-idx1-ubyte
//
// Files may be gzipped, with the suffix .gz, and the second-to-last hyphen may be a dot ("images.idx3"), as some
// programs name the unpacked files.

#include <string>

#include "accrete/deep/dataset/images.hpp"

namespace accrete::deep {

/// True if the folder contains one of the files.
bool is_idx_folder(const std::string& folder);

/// One channel; classes are the label numbers. Throws FileError for a file that is missing or cannot be read, DataError
/// for one whose header or length is invalid, and if images and labels differ in number.
Images read_idx(const std::string& folder, ImageSubset part);

}  // namespace accrete::deep
