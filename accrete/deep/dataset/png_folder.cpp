#include "accrete/deep/dataset/png_folder.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <filesystem>

#include "accrete/core/error.hpp"
#include "accrete/io/utf8.hpp"

namespace accrete::deep {
namespace {

namespace fs = std::filesystem;

/// The entries of a folder sorted by name, so that results do not depend on the file system's order.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().string().starts_with('.')) entries.push_back(at->path());
  if (error) throw core::FileError(fmt::format("cannot read '{}': {}", folder.string(), error.message()));
  std::ranges::sort(entries);
  return entries;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders = entries_of(folder);
  std::error_code error;
  std::erase_if(folders, [&](const fs::path& path) { return !fs::is_directory(path, error); });
  return folders;
}

bool has_classes(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !folders_in(folder).empty();
}

bool is_png_name(const fs::path& path) {
  std::string end = path.extension().string();
  std::ranges::transform(end, end.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return end == ".png";
}

struct ImageFile {
  std::string path;
  std::int32_t label;
};

/// The files of all classes in the folder; appends new classes to the list.
void append_files(const fs::path& folder, std::vector<ImageFile>& files, std::vector<std::string>& classes) {
  for (const fs::path& class_folder : folders_in(folder)) {
    const std::string name = class_folder.filename().string();
    if (io::find_invalid_utf8(name))
      throw core::DataError(folder.string() + ": a class folder has a name that is not UTF-8");
    const auto label = std::ranges::find(classes, name) - classes.begin();
    if (label == std::ssize(classes)) classes.push_back(name);
    const auto images = entries_of(class_folder);
    if (images.empty()) throw core::DataError(class_folder.string() + ": no PNG files in this class folder");
    for (const fs::path& path : images) {
      if (!is_png_name(path))
        throw core::DataError(path.string() + ": a class folder may contain only PNG files (.png)");
      files.push_back({path.string(), static_cast<std::int32_t>(label)});
    }
  }
}

/// A PNG file whose header has been read.
class Png {
 public:
  explicit Png(const std::string& path) : path_(path) {
    image_.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image_, path.c_str())) refuse();
    image_.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // otherwise 16 bits without gamma would be read as linear light
    check_size();
  }

  std::int64_t height() const { return image_.height; }
  std::int64_t width() const { return image_.width; }
  bool is_colour() const { return (image_.format & PNG_FORMAT_FLAG_COLOR) != 0; }

  /// height x width x channels bytes.
  void read(std::int64_t channels, std::vector<std::uint8_t>& bytes) {
    image_.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
    bytes.resize(PNG_IMAGE_SIZE(image_));
    const png_color black{0, 0, 0};
    if (!png_image_finish_read(&image_, &black, bytes.data(), 0, nullptr)) refuse();
  }

 private:
  [[noreturn]] void refuse() const { refuse(image_.message); }

  [[noreturn]] void refuse(const char* why) const {
    throw core::FileError(fmt::format("cannot read '{}' as PNG: {}", path_, why));
  }

  /// A header may declare any number of pixels, for which memory is allocated before they are read. A pixel takes at
  /// least one bit, and deflate expands a byte to at most 1,032 bytes.
  void check_size() const {
    constexpr double max_pixels_per_byte = 8 * 1032;
    std::error_code error;
    const auto bytes = static_cast<double>(fs::file_size(path_, error));
    if (!error && static_cast<double>(height()) * static_cast<double>(width()) > max_pixels_per_byte * bytes)
      refuse("its header declares more pixels than the file can contain");
  }

  /// Freed even if the constructor of Png throws.
  struct Image : png_image {
    Image() : png_image{} {}
    ~Image() { png_image_free(this); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
  };

  const std::string& path_;
  Image image_;
};

constexpr std::size_t files_per_task = 256;

/// Calls work(i) for each file.
template <class Work>
void for_each_file(std::size_t files, core::Workers& workers, const Work& work) {
  workers.run((files + files_per_task - 1) / files_per_task, [&](std::size_t task) {
    const std::size_t first = task * files_per_task;
    for (std::size_t i = first; i < std::min(files, first + files_per_task); ++i) work(i);
  });
}

/// Determines size and channels from the headers.
void read_image_shape(Images& images, const std::vector<ImageFile>& files, core::Workers& workers) {
  struct Header {
    std::int64_t height, width;
    bool colour;
  };
  std::vector<Header> headers(files.size());
  for_each_file(files.size(), workers, [&](std::size_t i) {
    const Png png(files[i].path);
    headers[i] = {png.height(), png.width(), png.is_colour()};
  });
  images.channels = std::ranges::any_of(headers, &Header::colour) ? 3 : 1;
  images.height = headers[0].height;
  images.width = headers[0].width;
  for (std::size_t i = 0; i < headers.size(); ++i)
    if (headers[i].height != images.height || headers[i].width != images.width)
      throw core::DataError(fmt::format("{} is {} x {}, but {} is {} x {}; all images must have the same size",
                                        files[0].path, images.height, images.width, files[i].path, headers[i].height,
                                        headers[i].width));
}

/// Converts interleaved channels to planar ones.
void split_channels(const std::vector<std::uint8_t>& pixels, std::size_t channels, std::uint8_t* planes) {
  const std::size_t size = pixels.size() / channels;
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t i = 0; i < size; ++i) planes[c * size + i] = pixels[i * channels + c];
}

std::vector<ImageFile> list_files(const std::string& folder, ImageSubset part, std::vector<std::string>& classes) {
  const fs::path train = fs::path(folder) / "train", test = fs::path(folder) / "test";
  std::vector<ImageFile> files;
  if (!has_classes(train) && !has_classes(test)) {
    append_files(folder, files, classes);
    return files;
  }
  const auto append = [&](const fs::path& subset) {
    if (!has_classes(subset))
      throw core::DataError(fmt::format("{}: no {} images found; looked for folders CLASS of PNG files",
                                        subset.string(), subset == train ? "training" : "test"));
    append_files(subset, files, classes);
  };
  if (part != ImageSubset::test) append(train);
  if (part != ImageSubset::train) append(test);
  return files;
}

}  // namespace

bool is_png_folder(const std::string& folder) {
  return has_classes(folder);
}

Images read_png_folder(const std::string& folder, ImageSubset part, core::Workers& workers) {
  Images images;
  images.source = folder;
  const std::vector<ImageFile> files = list_files(folder, part, images.classes);
  images.count = static_cast<std::int64_t>(files.size());
  for (const ImageFile& file : files) images.labels.push_back(file.label);
  read_image_shape(images, files, workers);
  images.pixels.resize(files.size() * images.bytes_each());
  for_each_file(files.size(), workers, [&](std::size_t i) {
    std::vector<std::uint8_t> pixels;
    Png(files[i].path).read(images.channels, pixels);
    if (pixels.size() != images.bytes_each()) throw core::FileError(files[i].path + ": changed while being read");
    split_channels(pixels, static_cast<std::size_t>(images.channels), images.pixels.data() + i * images.bytes_each());
  });
  return images;
}

}  // namespace accrete::deep
