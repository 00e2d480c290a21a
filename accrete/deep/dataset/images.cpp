#include "accrete/deep/dataset/images.hpp"

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/deep/dataset/cifar.hpp"
#include "accrete/deep/dataset/idx.hpp"
#include "accrete/deep/dataset/png_folder.hpp"

namespace accrete::deep {

Images read_images(const std::string& folder, ImageSubset part, core::Workers& workers) {
  if (is_idx_folder(folder)) return read_idx(folder, part);
  if (is_cifar_folder(folder)) return read_cifar(folder, part);
  if (is_png_folder(folder)) return read_png_folder(folder, part, workers);
  throw core::DataError(
      fmt::format("{}: no images found; looked for train-images-idx3-ubyte (MNIST's files, .gz or not), "
                  "data_batch_1.bin or train.bin (CIFAR's), and folders CLASS or train/CLASS of PNG files",
                  folder));
}

}  // namespace accrete::deep
