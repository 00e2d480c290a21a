#include "accrete/deep/examples/idx.hpp"

#include "accrete/core/error.hpp"
#include "tests/deep/scratch.hpp"

namespace accrete::deep::idx_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

TEST(Idx, BothPartsPlainAndPacked) {
  const Scratch at;
  EXPECT_FALSE(is_idx_folder(at.folder()));
  at.write("train-images-idx3-ubyte", idx_images(3));
  at.write_gz("train-labels-idx1-ubyte.gz", idx_labels({2, 0, 2}));
  at.write_gz("t10k-images.idx3-ubyte.gz", idx_images(1, 250));
  at.write("t10k-labels.idx1-ubyte", idx_labels({3}));
  ASSERT_TRUE(is_idx_folder(at.folder()));

  const Images train = read_idx(at.folder(), ImageSubset::train);
  EXPECT_EQ(train.count, 3);
  EXPECT_EQ(train.channels, 1);
  EXPECT_EQ(train.height, 2);
  EXPECT_EQ(train.width, 3);
  EXPECT_EQ(train.labels, (Labels{2, 0, 2}));
  EXPECT_EQ(train.classes, (std::vector<std::string>{"0", "1", "2"}));
  ASSERT_EQ(train.pixels.size(), 18u);
  for (std::size_t i = 0; i < 18; ++i) EXPECT_EQ(train.pixels[i], i);

  const Images test = read_idx(at.folder(), ImageSubset::test);
  EXPECT_EQ(test.pixels, (Bytes{250, 251, 252, 253, 254, 255}));
  const Images every = read_idx(at.folder(), ImageSubset::every);
  EXPECT_EQ(every.count, 4);
  EXPECT_EQ(every.labels, (Labels{2, 0, 2, 3}));
  EXPECT_EQ(every.pixels.size(), 24u);
  EXPECT_EQ(every.pixels[18], 250);
}

/// The refusal of a folder with these two files.
std::string refusal(const std::string& images, const std::string& labels) {
  const Scratch at;
  at.write("train-images-idx3-ubyte", images);
  at.write("train-labels-idx1-ubyte", labels);
  std::string text = message_of<core::DataError>([&] { read_idx(at.folder(), ImageSubset::train); });
  const std::string folder = at.folder() + "/";
  for (std::size_t found; (found = text.find(folder)) != text.npos;) text.erase(found, folder.size());
  return text;
}

TEST(Idx, FilesThatAreNotAsTheySay) {
  const std::string images = idx_images(2), labels = idx_labels({0, 1});
  EXPECT_EQ(refusal(images.substr(0, images.size() - 1), labels),
            "train-images-idx3-ubyte: 11 bytes follow the sizes, which promise 2 x 2 x 3");
  EXPECT_EQ(refusal(images + "x", labels),
            "train-images-idx3-ubyte: 13 bytes follow the sizes, which promise 2 x 2 x 3");
  EXPECT_EQ(refusal(images, labels + labels), "train-labels-idx1-ubyte: 12 bytes follow the sizes, which promise 2");
  EXPECT_EQ(
      refusal(images, idx_labels({1})),
      "train-images-idx3-ubyte has 2 images and train-labels-idx1-ubyte has 1 labels; there must be one for each");
  const std::string magic = "not an idx file of images: it must start with the bytes 00000803 and 3 sizes";
  EXPECT_EQ(refusal(labels, labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal(images.substr(0, 15), labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal("", labels), "train-images-idx3-ubyte: " + magic);
  EXPECT_EQ(refusal(images, images),
            "train-labels-idx1-ubyte: not an idx file of labels: it must start with the bytes 00000801 and 1 sizes");
  EXPECT_EQ(refusal(idx_images(0), labels), "train-images-idx3-ubyte: its sizes say that it is empty");
  // 2^32 x 2^32 x 2 would be 0 in 64 bits.
  const std::string huge = big_endian(0x803) + big_endian(1u << 31) + big_endian(1u << 31) + big_endian(4);
  EXPECT_NE(refusal(huge, labels).find("0 bytes follow the sizes, which promise 2147483648 x"), std::string::npos);
}

TEST(Idx, WhatIsAbsentIsNamed) {
  const Scratch at;
  at.write("train-images-idx3-ubyte", idx_images(2));
  EXPECT_EQ(message_of<core::FileError>([&] { read_idx(at.folder(), ImageSubset::train); }),
            at.folder() + ": no training images there: looked for train-labels-idx1-ubyte, gzipped or not");
  at.write("train-labels-idx1-ubyte", idx_labels({0, 1}));
  EXPECT_EQ(message_of<core::FileError>([&] { read_idx(at.folder(), ImageSubset::test); }),
            at.folder() + ": no test images there: looked for t10k-images-idx3-ubyte, gzipped or not");
  at.write("t10k-images-idx3-ubyte", big_endian(0x803) + big_endian(1) + big_endian(1) + big_endian(1) + "x");
  at.write("t10k-labels-idx1-ubyte", idx_labels({1}));
  EXPECT_EQ(message_of<core::DataError>([&] { read_idx(at.folder(), ImageSubset::every); }),
            at.path("t10k-images-idx3-ubyte") + ": images of 1 x 1, where those for training have 2 x 3");
  EXPECT_EQ(read_idx(at.folder(), ImageSubset::test).pixels, (Bytes{'x'}));
}

}  // namespace
}  // namespace accrete::deep::idx_test
