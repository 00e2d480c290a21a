#include "accrete/deep/dataset/idx.hpp"

#include "accrete/core/error.hpp"
#include "tests/deep/image_files.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::idx_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

TEST(Idx, ReadsBothSubsetsPlainAndGzipped) {
  const ImageFiles files;
  EXPECT_FALSE(is_idx_folder(files.folder()));
  files.write("train-images-idx3-ubyte", idx_images(3));
  files.write_gz("train-labels-idx1-ubyte.gz", idx_labels({2, 0, 2}));
  files.write_gz("t10k-images.idx3-ubyte.gz", idx_images(1, 250));
  files.write("t10k-labels.idx1-ubyte", idx_labels({3}));
  ASSERT_TRUE(is_idx_folder(files.folder()));

  const Images train = read_idx(files.folder(), ImageSubset::train);
  EXPECT_EQ(train.count, 3);
  EXPECT_EQ(train.channels, 1);
  EXPECT_EQ(train.height, 2);
  EXPECT_EQ(train.width, 3);
  EXPECT_EQ(train.labels, (Labels{2, 0, 2}));
  EXPECT_EQ(train.classes, (std::vector<std::string>{"0", "1", "2"}));
  ASSERT_EQ(train.pixels.size(), 18u);
  for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(train.pixels[i], i);

  const Images test = read_idx(files.folder(), ImageSubset::test);
  EXPECT_EQ(test.pixels, (Bytes{250, 251, 252, 253, 254, 255}));
  const Images every = read_idx(files.folder(), ImageSubset::every);
  EXPECT_EQ(every.count, 4);
  EXPECT_EQ(every.labels, (Labels{2, 0, 2, 3}));
  EXPECT_EQ(every.pixels.size(), 24u);
  EXPECT_EQ(every.pixels[18], 250);
}

/// The refusal of a folder with these two files.
std::string refusal(const std::string& images, const std::string& labels) {
  const ImageFiles files;
  files.write("train-images-idx3-ubyte", images);
  files.write("train-labels-idx1-ubyte", labels);
  std::string text = thrown_message<core::DataError>([&] { read_idx(files.folder(), ImageSubset::train); });
  const std::string folder = files.folder() + "/";
  for (std::size_t found; (found = text.find(folder)) != text.npos;) text.erase(found, folder.size());
  return text;
}

TEST(Idx, RejectsFilesThatContradictTheirHeader) {
  const std::string images = idx_images(2), labels = idx_labels({0, 1});
  EXPECT_EQ(refusal(images.substr(0, images.size() - 1), labels),
            "train-images-idx3-ubyte: 11 bytes follow the header, which declares 2 x 2 x 3");
  EXPECT_EQ(refusal(images + "x", labels),
            "train-images-idx3-ubyte: 13 bytes follow the header, which declares 2 x 2 x 3");
  EXPECT_EQ(refusal(images, labels + labels), "train-labels-idx1-ubyte: 12 bytes follow the header, which declares 2");
  EXPECT_EQ(refusal(images, idx_labels({1})),
            "train-images-idx3-ubyte has 2 images, but train-labels-idx1-ubyte has 1 labels");
  const std::string magic = "not an idx file of images: it must start with the bytes 00000803 and 3 sizes";
  EXPECT_EQ(refusal(labels, labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal(images.substr(0, 15), labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal("", labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal(images, images),
            "train-labels-idx1-ubyte: not an idx file of labels: it must start with the bytes 00000801 and 1 sizes");
  EXPECT_EQ(refusal(idx_images(0), labels), "train-images-idx3-ubyte: empty (a size in the header is 0)");
  // 2^32 x 2^32 x 2 would be 0 in 64 bits.
  const std::string huge = big_endian(0x803) + big_endian(1u << 31) + big_endian(1u << 31) + big_endian(4);
  EXPECT_NE(refusal(huge, labels).find("0 bytes follow the header, which declares 2147483648 x"), std::string::npos);
}

TEST(Idx, NamesMissingFiles) {
  const ImageFiles files;
  files.write("train-images-idx3-ubyte", idx_images(2));
  EXPECT_EQ(thrown_message<core::FileError>([&] { read_idx(files.folder(), ImageSubset::train); }),
            files.folder() + ": no training images found; looked for train-labels-idx1-ubyte, gzipped or not");
  files.write("train-labels-idx1-ubyte", idx_labels({0, 1}));
  EXPECT_EQ(thrown_message<core::FileError>([&] { read_idx(files.folder(), ImageSubset::test); }),
            files.folder() + ": no test images found; looked for t10k-images-idx3-ubyte, gzipped or not");
  files.write("t10k-images-idx3-ubyte", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(1) + "x");
  files.write("t10k-labels-idx1-ubyte", idx_labels({1}));
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_idx(files.folder(), ImageSubset::every); }),
            files.path("t10k-images-idx3-ubyte") + ": images are 1 x 1; the training images are 2 x 3");
  EXPECT_EQ(read_idx(files.folder(), ImageSubset::test).pixels, (Bytes{'x'}));
}

}  // namespace
}  // namespace accrete::deep::idx_test
