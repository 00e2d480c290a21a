#pragma once
// CIFAR's binary batches: records of a label and 32 x 32 pixels, all red, then all green, then all blue.
//
//   CIFAR-10    data_batch_1.bin .. data_batch_5.bin, test_batch.bin: one label; class names in batches.meta.txt
//   CIFAR-100   train.bin, test.bin: coarse label, fine label; the fine one is read; names in fine_label_names.txt

#include <string>

#include "accrete/deep/dataset/images.hpp"

namespace accrete::deep {

/// True if the folder contains one of the batches.
bool is_cifar_folder(const std::string& folder);

/// Classes are named by number if there is no file of names. Throws FileError for a batch that is missing or cannot be
/// read, DataError for one that does not consist of whole records, for an invalid label, and for too few names.
Images read_cifar(const std::string& folder, ImageSubset part);

}  // namespace accrete::deep
