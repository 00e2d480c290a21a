// Files of images: idx, CIFAR's batches and PNG. The bytes become files of a folder that the reader is asked for.

#include <algorithm>
#include <string>
#include <vector>

#include "accrete/deep/dataset/cifar.hpp"
#include "accrete/deep/dataset/idx.hpp"
#include "accrete/deep/dataset/png_folder.hpp"
#include "tests/core/temporary_folder.hpp"
#include "tests/fuzz/targets.hpp"

namespace accrete::fuzz {
namespace {

void check(const deep::Images& images) {
  const auto count = static_cast<std::size_t>(images.count);
  require(images.count > 0 && images.bytes_each() > 0, "accepted images have a size");
  require(images.pixels.size() == count * images.bytes_each(), "every image has its pixels");
  require(images.labels.size() == count, "every image has a label");
  for (const std::int32_t label : images.labels)
    require(label >= 0 && static_cast<std::size_t>(label) < images.classes.size(), "every label has a class");
}

}  // namespace

/// The first byte says how many of the others are labels.
void fuzz_idx(Bytes bytes) {
  static core::TemporaryFolder files;  // replaced by each input
  const std::size_t given = take_byte(bytes), labels = std::min(given, bytes.size());
  files.write("train-labels-idx1-ubyte", as_text(bytes.first(labels)));
  files.write("train-images-idx3-ubyte", as_text(bytes.subspan(labels)));
  refusal([&] { check(deep::read_idx(files.folder(), deep::ImageSubset::train)); });
}

/// The first byte says how many of the others are names of classes. The rest is a batch; if its last byte is even, it
/// is padded to one record.
void fuzz_cifar(Bytes bytes) {
  static core::TemporaryFolder files;  // replaced by each input
  const std::size_t given = take_byte(bytes), names = std::min(given, bytes.size());
  files.write("batches.meta.txt", as_text(bytes.first(names)));
  std::vector<std::uint8_t> batch(bytes.begin() + static_cast<std::ptrdiff_t>(names), bytes.end());
  if (!batch.empty() && batch.back() % 2 == 0) batch.resize(3073);
  files.write("test_batch.bin", as_text(batch));
  refusal([&] { check(deep::read_cifar(files.folder(), deep::ImageSubset::test)); });
}

#ifdef ACCRETE_HAS_PNG
void fuzz_png(Bytes bytes) {
  static core::TemporaryFolder files;  // replaced by each input
  static core::Workers workers(1);
  files.write("class/a.png", as_text(bytes));
  refusal([&] { check(deep::read_png_folder(files.folder(), deep::ImageSubset::every, workers)); });
}
#endif

}  // namespace accrete::fuzz
