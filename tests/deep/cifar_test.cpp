#include "accrete/deep/dataset/cifar.hpp"

#include "accrete/core/error.hpp"
#include "tests/deep/image_files.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::cifar_test {
namespace {

/// One record: its labels, and pixels that tell channel and place.
std::string record(const std::string& labels, int shade) {
  std::string bytes = labels;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 1024; ++i) bytes += static_cast<char>(shade + 80 * c + i % 32);
  return bytes;
}

void write_batches(const ImageFiles& files) {
  for (int b = 1; b <= 5; ++b)
    files.write("data_batch_" + std::to_string(b) + ".bin",
                record(std::string(1, static_cast<char>(b)), b) + record(std::string(1, '\0'), 10));
  files.write("test_batch.bin", record("\x09", 7));
}

TEST(Cifar, ReadsTenClasses) {
  const ImageFiles files;
  EXPECT_FALSE(is_cifar_folder(files.folder()));
  write_batches(files);
  ASSERT_TRUE(is_cifar_folder(files.folder()));
  const Images train = read_cifar(files.folder(), ImageSubset::train);
  EXPECT_EQ(train.count, 10);
  EXPECT_EQ(train.channels, 3);
  EXPECT_EQ(train.height, 32);
  EXPECT_EQ(train.width, 32);
  EXPECT_EQ(train.labels, (std::vector<std::int32_t>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}));
  EXPECT_EQ(train.classes.at(9), "9");
  ASSERT_EQ(train.pixels.size(), 10u * 3072);
  EXPECT_EQ(train.pixels[2 * 3072 + 2 * 1024 + 5], 2 + 160 + 5);
  const Images every = read_cifar(files.folder(), ImageSubset::every);
  EXPECT_EQ(every.count, 11);
  EXPECT_EQ(every.labels.back(), 9);
  EXPECT_EQ(every.pixels[10 * 3072], 7);

  files.write("batches.meta.txt", "aero\r\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  EXPECT_EQ(read_cifar(files.folder(), ImageSubset::test).classes.at(0), "aero");
  files.write("batches.meta.txt", "a\nb\n");
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_cifar(files.folder(), ImageSubset::test); }),
            files.path("batches.meta.txt") + ": 2 class names; must be 10");
}

TEST(Cifar, ReadsAHundredClasses) {
  const ImageFiles files;
  files.write("train.bin", record("\x13\x63", 1) + record("\x01\x02", 2));
  ASSERT_TRUE(is_cifar_folder(files.folder()));
  const Images train = read_cifar(files.folder(), ImageSubset::train);
  EXPECT_EQ(train.labels, (std::vector<std::int32_t>{99, 2}));  // the fine ones
  EXPECT_EQ(train.classes.size(), 100u);
  EXPECT_EQ(train.pixels[3072], 2);
  EXPECT_EQ(thrown_message<core::FileError>([&] { read_cifar(files.folder(), ImageSubset::test); }),
            "cannot read '" + files.path("test.bin") + "': No such file or directory");
}

TEST(Cifar, RejectsIncompleteBatches) {
  const ImageFiles files;
  write_batches(files);
  files.write("data_batch_3.bin", record("\x01", 0) + "x");
  EXPECT_EQ(
      thrown_message<core::DataError>([&] { read_cifar(files.folder(), ImageSubset::train); }),
      files.path("data_batch_3.bin") + ": has 3074 bytes; must be a multiple of 3073, the size of a labelled image");
  files.write("data_batch_3.bin", "");
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_cifar(files.folder(), ImageSubset::train); }),
            files.path("data_batch_3.bin") + ": has 0 bytes; must be a multiple of 3073, the size of a labelled image");
  files.write("data_batch_3.bin", record("\x01", 0) + record("\x0A", 0));
  EXPECT_EQ(thrown_message<core::DataError>([&] { read_cifar(files.folder(), ImageSubset::train); }),
            files.path("data_batch_3.bin") + ": image 2 has the label 10; must be from 0 to 9");
  std::filesystem::remove(files.path("data_batch_3.bin"));
  EXPECT_EQ(thrown_message<core::FileError>([&] { read_cifar(files.folder(), ImageSubset::train); }),
            "cannot read '" + files.path("data_batch_3.bin") + "': No such file or directory");
}

}  // namespace
}  // namespace accrete::deep::cifar_test
