#pragma once
// Reads a dataset from a path into tensors. An example is a table row or an image.
//
//   data.csv, data.csv.gz   rows of a table
//   a folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-... (.gz or not)     MNIST's own files
//   a folder with data_batch_1.bin .. data_batch_5.bin, test_batch.bin (or train.bin, test.bin of CIFAR-100)
//   a folder with train/CLASS/*.png and test/CLASS/*.png, or CLASS/*.png                      images by class
//
// Inputs follow PyTorch: images are N x C x H x W bytes 0..255; tables are N x columns float32 as
// data::Encoder::encode_row takes them: a number, or the level index of a category (-1: unknown), NaN if missing.

#include <torch/types.h>

#include <optional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/target.hpp"
#include "accrete/deep/dataset/images.hpp"
#include "accrete/deep/signature.hpp"

namespace accrete::deep {

struct DatasetSource {
  std::string path;
  ImageSubset part = ImageSubset::train;  ///< for image folders
  // tables only
  std::string target;                    ///< column name or index; empty: the last column
  std::optional<data::Task> task;        ///< unset: inferred from the target
  std::vector<std::string> categorical;  ///< columns to read as text
  bool no_header = false;
  char delimiter = '\0';  ///< \0: detected
};

struct TensorDataset {
  std::string source;     ///< for messages
  torch::Tensor inputs;   ///< see the top of this file
  torch::Tensor targets;  ///< N: int64 class index, or float64 in the target's units; undefined if there are none

  std::int64_t size() const { return inputs.size(0); }
};

struct DatasetWithSignature {
  Signature signature;  ///< encoder, classes, shift and scale learnt from this dataset
  TensorDataset dataset;
};

/// Reads a dataset to train on. Throws DataError or FileError that names file, row or image and the rule, and
/// UsageError for table options with an image folder.
DatasetWithSignature read_training_set(const DatasetSource& source, core::Workers& workers);

/// Reads a dataset for an existing network: same columns or image size, labels among its classes. Greyscale images are
/// repeated for a network with three channels. Targets are undefined if the table has no target column. Throws
/// DataError for any other mismatch.
TensorDataset read_dataset(const Signature& signature, const DatasetSource& source, core::Workers& workers);

}  // namespace accrete::deep
