#pragma once
// Examples as tensors, from whatever is found at a path.
//
//   data.csv, data.csv.gz   rows of a table
//   a folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-... (.gz or not)     MNIST's own files
//   a folder with data_batch_1.bin .. data_batch_5.bin, test_batch.bin (or train.bin, test.bin of CIFAR-100)
//   a folder with train/CLASS/*.png and test/CLASS/*.png, or CLASS/*.png                      images by class
//
// Inputs are what a network takes in plain PyTorch: images N x C x H x W as bytes 0..255, tables N x columns as
// float32, numbers as they are and the index of its level for a text column (-1: none of them), NaN where either is
// missing: the rows that data::Encoder::encode_row takes.

#include <torch/types.h>

#include <optional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/target.hpp"
#include "accrete/deep/images.hpp"
#include "accrete/deep/purpose.hpp"

namespace accrete::deep {

struct Source {
  std::string path;
  Part part = Part::train;  ///< of a folder of images
  // tables alone
  std::string target;                    ///< column name or index; empty: the last column
  std::optional<data::Task> task;        ///< empty: chosen from the target
  std::vector<std::string> categorical;  ///< columns to be read as text
  bool no_header = false;
  char delimiter = '\0';  ///< \0: found from the file
};

struct Examples {
  std::string source;     ///< for messages
  torch::Tensor inputs;   ///< see above
  torch::Tensor targets;  ///< N: int64 class index, or float64 in the target's units; undefined where there are none

  std::int64_t size() const { return inputs.size(0); }
};

struct Opened {
  Purpose purpose;  ///< encoder, classes, shift and scale learnt from these examples
  Examples examples;
};

/// Examples to learn from. Throws DataError or FileError naming file, row or image, and the rule, and UsageError for
/// what is said of a table when the path is a folder of images.
Opened open_examples(const Source& source, core::Workers& workers);

/// Examples for a network that exists: the same columns or image size, labels of its classes. Grey images are given to
/// a network of three channels as three equal ones. Targets are left undefined when a table has no target column.
/// Throws DataError for anything else that does not fit.
Examples read_examples(const Purpose& purpose, const Source& source, core::Workers& workers);

}  // namespace accrete::deep
