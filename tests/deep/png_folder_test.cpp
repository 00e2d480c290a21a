#include "accrete/deep/examples/png_folder.hpp"

#include "accrete/core/error.hpp"
#include "tests/deep/scratch.hpp"

namespace accrete::deep::png_folder_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

Images read(const Scratch& at, ImageSubset part = ImageSubset::train) {
  core::Workers workers(2);
  return read_png_folder(at.folder(), part, workers);
}

TEST(PngFolder, GreyImagesInTheOrderOfTheirNames) {
  const Scratch at;
  EXPECT_FALSE(is_png_folder(at.folder()));
  for (const auto& [name, shade] :
       {std::pair{"dog/b.png", 30}, {"cat/2.PNG", 20}, {"cat/1.png", 10}, {"dog/a.png", 0}}) {
    const Bytes pixels{static_cast<std::uint8_t>(shade), 255, 128, 1, 2, 3};
    at.write_png(name, 3, 2, PNG_FORMAT_GRAY, pixels.data());
  }
  at.write("notes.txt", "not a folder");
  at.write("cat/.hidden", "");
  ASSERT_TRUE(is_png_folder(at.folder()));
  for (const ImageSubset part :
       {ImageSubset::train, ImageSubset::test, ImageSubset::every}) {  // the folder has no test set
    const Images images = read(at, part);
    EXPECT_EQ(images.count, 4);
    EXPECT_EQ(images.channels, 1);
    EXPECT_EQ(images.height, 2);
    EXPECT_EQ(images.width, 3);
    EXPECT_EQ(images.classes, (std::vector<std::string>{"cat", "dog"}));
    EXPECT_EQ(images.labels, (Labels{0, 0, 1, 1}));
    EXPECT_EQ(images.pixels,
              (Bytes{10, 255, 128, 1, 2, 3, 20, 255, 128, 1, 2, 3, 0, 255, 128, 1, 2, 3, 30, 255, 128, 1, 2, 3}));
  }
}

TEST(PngFolder, OneColourMakesAllOfThemThreeChannels) {
  const Scratch at;
  const Bytes grey{7, 200}, colour{1, 2, 3, 4, 5, 6};
  at.write_png("a/grey.png", 2, 1, PNG_FORMAT_GRAY, grey.data());
  at.write_png("b/colour.png", 2, 1, PNG_FORMAT_RGB, colour.data());
  const Images images = read(at);
  EXPECT_EQ(images.channels, 3);
  EXPECT_EQ(images.pixels, (Bytes{7, 200, 7, 200, 7, 200, 1, 4, 2, 5, 3, 6}));  // channel after channel
}

TEST(PngFolder, TransparencyOverBlack) {
  const Scratch at;
  const Bytes pixels{90, 255, 90, 0};
  at.write_png("a/x.png", 2, 1, PNG_FORMAT_GA, pixels.data());
  const Images images = read(at);
  EXPECT_EQ(images.channels, 1);
  EXPECT_EQ(images.pixels, (Bytes{90, 0}));
}

TEST(PngFolder, PalettesAreLookedUp) {
  const Scratch at;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 2;
  image.height = 1;
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = 2;
  const Bytes palette{10, 20, 30, 40, 50, 60}, places{1, 0};
  std::filesystem::create_directories(at.path("a"));
  ASSERT_TRUE(png_image_write_to_file(&image, at.path("a/x.png").c_str(), 0, places.data(), 0, palette.data()));
  EXPECT_EQ(read(at).pixels, (Bytes{40, 10, 50, 20, 60, 30}));
}

TEST(PngFolder, SixteenBitsBecomeEight) {
  const Scratch at;
  const std::uint16_t light[] = {0, 65535};  // ends of the scale are the same in linear light
  at.write_png("a/x.png", 2, 1, PNG_FORMAT_LINEAR_Y, light);
  EXPECT_EQ(read(at).pixels, (Bytes{0, 255}));
}

TEST(PngFolder, HalvesForTrainingAndTesting) {
  const Scratch at;
  const Bytes one{1}, two{2}, three{3};
  at.write_png("train/b/x.png", 1, 1, PNG_FORMAT_GRAY, one.data());
  at.write_png("train/c/x.png", 1, 1, PNG_FORMAT_GRAY, two.data());
  EXPECT_EQ(message_of<core::DataError>([&] { read(at, ImageSubset::test); }),
            at.path("test") + ": no test images there: looked for folders CLASS of PNG files");
  at.write_png("test/a/x.png", 1, 1, PNG_FORMAT_GRAY, three.data());
  EXPECT_EQ(read(at, ImageSubset::train).pixels, (Bytes{1, 2}));
  EXPECT_EQ(read(at, ImageSubset::test).pixels, (Bytes{3}));
  const Images every = read(at, ImageSubset::every);
  EXPECT_EQ(every.pixels, (Bytes{1, 2, 3}));
  EXPECT_EQ(every.classes, (std::vector<std::string>{"b", "c", "a"}));
  EXPECT_EQ(every.labels, (Labels{0, 1, 2}));
}

TEST(PngFolder, WhatCannotBeRead) {
  const Scratch at;
  const Bytes pixels(400, 9);
  at.write_png("a/1.png", 20, 20, PNG_FORMAT_GRAY, pixels.data());
  at.write_png("b/2.png", 10, 20, PNG_FORMAT_GRAY, pixels.data());
  EXPECT_EQ(
      message_of<core::DataError>([&] { read(at); }),
      at.path("a/1.png") + " is 20 x 20 and " + at.path("b/2.png") + " is 20 x 10; all images must be of one size");
  at.write("b/2.png", "text");
  EXPECT_NE(message_of<core::FileError>([&] { read(at); }).find("cannot read '" + at.path("b/2.png") + "' as PNG: "),
            std::string::npos);
  std::ifstream whole(at.path("a/1.png"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  at.write("b/2.png", bytes.substr(0, bytes.size() - 20));
  EXPECT_NE(message_of<core::FileError>([&] { read(at); }).find("cannot read '" + at.path("b/2.png") + "' as PNG: "),
            std::string::npos);
  std::filesystem::remove(at.path("b/2.png"));
  EXPECT_EQ(message_of<core::DataError>([&] { read(at); }), at.path("b") + ": no PNG file in the folder of this class");
  at.write("b/2.jpg", "");
  EXPECT_EQ(message_of<core::DataError>([&] { read(at); }),
            at.path("b/2.jpg") + ": the folder of a class holds PNG files (.png) and nothing else");
}

/// The memory for the pixels is allocated before they are read.
TEST(PngFolder, HeaderThatPromisesMoreThanTheFileCanHold) {
  const Scratch at;
  const std::string header = "IHDR" + big_endian(60'000) + big_endian(60'000) + std::string("\x08\x02\0\0\0", 5);
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  at.write("a/1.png", "\x89PNG\r\n\x1a\n" + big_endian(13) + header + big_endian(static_cast<std::uint32_t>(checksum)) +
                          big_endian(0) + "IDAT" + big_endian(0x35AF061E));
  EXPECT_EQ(message_of<core::FileError>([&] { read(at); }),
            "cannot read '" + at.path("a/1.png") + "' as PNG: its header promises more pixels than the file can hold");
}

}  // namespace
}  // namespace accrete::deep::png_folder_test
