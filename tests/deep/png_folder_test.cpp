#include "accrete/deep/dataset/png_folder.hpp"

#include "accrete/core/error.hpp"
#include "tests/deep/image_files.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::deep::png_folder_test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Labels = std::vector<std::int32_t>;

Images read(const ImageFiles& files, ImageSubset part = ImageSubset::train) {
  core::Workers workers(2);
  return read_png_folder(files.folder(), part, workers);
}

TEST(PngFolder, ReadsGreyscaleImagesInTheOrderOfTheirNames) {
  const ImageFiles files;
  EXPECT_FALSE(is_png_folder(files.folder()));
  for (const auto& [name, shade] :
       {std::pair{"dog/b.png", 30}, {"cat/2.PNG", 20}, {"cat/1.png", 10}, {"dog/a.png", 0}}) {
    const Bytes pixels{static_cast<std::uint8_t>(shade), 255, 128, 1, 2, 3};
    files.write_png(name, 3, 2, PNG_FORMAT_GRAY, pixels.data());
  }
  files.write("notes.txt", "not a folder");
  files.write("cat/.hidden", "");
  ASSERT_TRUE(is_png_folder(files.folder()));
  for (const ImageSubset part :
       {ImageSubset::train, ImageSubset::test, ImageSubset::every}) {  // the folder has no test set
    const Images images = read(files, part);
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

TEST(PngFolder, ReadsThreeChannelsIfOneImageHasColour) {
  const ImageFiles files;
  const Bytes grey{7, 200}, colour{1, 2, 3, 4, 5, 6};
  files.write_png("a/grey.png", 2, 1, PNG_FORMAT_GRAY, grey.data());
  files.write_png("b/colour.png", 2, 1, PNG_FORMAT_RGB, colour.data());
  const Images images = read(files);
  EXPECT_EQ(images.channels, 3);
  EXPECT_EQ(images.pixels, (Bytes{7, 200, 7, 200, 7, 200, 1, 4, 2, 5, 3, 6}));  // channel after channel
}

TEST(PngFolder, BlendsTransparentPixelsWithBlack) {
  const ImageFiles files;
  const Bytes pixels{90, 255, 90, 0};
  files.write_png("a/x.png", 2, 1, PNG_FORMAT_GA, pixels.data());
  const Images images = read(files);
  EXPECT_EQ(images.channels, 1);
  EXPECT_EQ(images.pixels, (Bytes{90, 0}));
}

TEST(PngFolder, ExpandsPalettes) {
  const ImageFiles files;
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 2;
  image.height = 1;
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = 2;
  const Bytes palette{10, 20, 30, 40, 50, 60}, places{1, 0};
  std::filesystem::create_directories(files.path("a"));
  ASSERT_TRUE(png_image_write_to_file(&image, files.path("a/x.png").c_str(), 0, places.data(), 0, palette.data()));
  EXPECT_EQ(read(files).pixels, (Bytes{40, 10, 50, 20, 60, 30}));
}

TEST(PngFolder, ReducesSixteenBitsToEight) {
  const ImageFiles files;
  const std::uint16_t light[] = {0, 65535};  // ends of the scale are the same in linear light
  files.write_png("a/x.png", 2, 1, PNG_FORMAT_LINEAR_Y, light);
  EXPECT_EQ(read(files).pixels, (Bytes{0, 255}));
}

TEST(PngFolder, ReadsTrainingAndTestFolders) {
  const ImageFiles files;
  const Bytes one{1}, two{2}, three{3};
  files.write_png("train/b/x.png", 1, 1, PNG_FORMAT_GRAY, one.data());
  files.write_png("train/c/x.png", 1, 1, PNG_FORMAT_GRAY, two.data());
  EXPECT_EQ(thrown_message<core::DataError>([&] { read(files, ImageSubset::test); }),
            files.path("test") + ": no test images found; looked for folders CLASS of PNG files");
  files.write_png("test/a/x.png", 1, 1, PNG_FORMAT_GRAY, three.data());
  EXPECT_EQ(read(files, ImageSubset::train).pixels, (Bytes{1, 2}));
  EXPECT_EQ(read(files, ImageSubset::test).pixels, (Bytes{3}));
  const Images every = read(files, ImageSubset::every);
  EXPECT_EQ(every.pixels, (Bytes{1, 2, 3}));
  EXPECT_EQ(every.classes, (std::vector<std::string>{"b", "c", "a"}));
  EXPECT_EQ(every.labels, (Labels{0, 1, 2}));
}

TEST(PngFolder, RejectsUnreadableFolders) {
  const ImageFiles files;
  const Bytes pixels(400, 9);
  files.write_png("a/1.png", 20, 20, PNG_FORMAT_GRAY, pixels.data());
  files.write_png("b/2.png", 10, 20, PNG_FORMAT_GRAY, pixels.data());
  EXPECT_EQ(thrown_message<core::DataError>([&] { read(files); }),
            files.path("a/1.png") + " is 20 x 20, but " + files.path("b/2.png") +
                " is 20 x 10; all images must have the same size");
  files.write("b/2.png", "text");
  EXPECT_NE(thrown_message<core::FileError>([&] {
              read(files);
            }).find("cannot read '" + files.path("b/2.png") + "' as PNG: "),
            std::string::npos);
  std::ifstream whole(files.path("a/1.png"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  files.write("b/2.png", bytes.substr(0, bytes.size() - 20));
  EXPECT_NE(thrown_message<core::FileError>([&] {
              read(files);
            }).find("cannot read '" + files.path("b/2.png") + "' as PNG: "),
            std::string::npos);
  std::filesystem::remove(files.path("b/2.png"));
  EXPECT_EQ(thrown_message<core::DataError>([&] { read(files); }),
            files.path("b") + ": no PNG files in this class folder");
  files.write("b/2.jpg", "");
  EXPECT_EQ(thrown_message<core::DataError>([&] { read(files); }),
            files.path("b/2.jpg") + ": a class folder may contain only PNG files (.png)");
}

/// The memory for the pixels is allocated before they are read.
TEST(PngFolder, RejectsAHeaderWithMorePixelsThanTheFileCanContain) {
  const ImageFiles files;
  const std::string header = "IHDR" + big_endian(60'000) + big_endian(60'000) + std::string("\x08\x02\0\0\0", 5);
  const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  files.write("a/1.png", "\x89PNG\r\n\x1a\n" + big_endian(13) + header +
                             big_endian(static_cast<std::uint32_t>(checksum)) + big_endian(0) + "IDAT" +
                             big_endian(0x35AF061E));
  EXPECT_EQ(
      thrown_message<core::FileError>([&] { read(files); }),
      "cannot read '" + files.path("a/1.png") + "' as PNG: its header declares more pixels than the file can contain");
}

}  // namespace
}  // namespace accrete::deep::png_folder_test
