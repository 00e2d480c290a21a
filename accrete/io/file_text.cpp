#include "accrete/io/file_text.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <utility>

#include "accrete/core/pages.hpp"
#include "accrete/io/text_file.hpp"

namespace accrete::io {
namespace {

std::size_t smallest_mapped = std::numeric_limits<std::size_t>::max();

}  // namespace

void map_large_files() {
  smallest_mapped = std::size_t{32} << 20;
}

std::size_t min_mapped_bytes() {
  return smallest_mapped;
}

FileText::FileText(const std::string& path, std::size_t min_bytes) {
  if (path == "-" || !map(path, min_bytes)) text_ = read_text_file(path);
}

FileText FileText::of(std::string text) {
  FileText result;
  result.text_ = std::move(text);
  return result;
}

FileText::FileText(FileText&& other) noexcept
    : text_(std::move(other.text_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      size_(other.size_),
      mapped_bytes_(other.mapped_bytes_) {}

FileText::~FileText() {
  if (mapped_) ::munmap(mapped_, mapped_bytes_);
}

/// Returns false if the file is small or cannot be mapped; reading it then reports any error.
bool FileText::map(const std::string& path, std::size_t min_bytes) {
  // Checked before opening, because a pipe can only be opened once.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0 || static_cast<std::size_t>(status.st_size) < min_bytes) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    // Maps zeros first and then the file over them, so that a zero byte follows even if the file fills its last page.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    mapped_bytes_ = (size_ / page + 1) * page;
    void* const place = ::mmap(nullptr, mapped_bytes_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place != MAP_FAILED) {
      mapped_ = static_cast<char*>(place);
      const bool mapped = ::mmap(place, size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
      if (!mapped || is_gzip(view())) {
        ::munmap(place, mapped_bytes_);
        mapped_ = nullptr;
      }
    }
  }
  ::close(file);
  return mapped_ != nullptr;
}

void FileText::release(std::string_view part) const {
  if (mapped_) core::release_pages(const_cast<char*>(part.data()), part.size());
}

}  // namespace accrete::io
