#include "accrete/io/file_text.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "accrete/core/pages.hpp"
#include "accrete/io/text_file.hpp"

namespace accrete::io {

FileText::FileText(const std::string& path, std::size_t map_from) {
  if (path == "-" || !map(path, map_from)) text_ = read_text_file(path);
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
      room_(other.room_) {}

FileText::~FileText() {
  if (mapped_) ::munmap(mapped_, room_);
}

/// False where it cannot be done, or is not worth it; reading will then say what is wrong, if anything is.
bool FileText::map(const std::string& path, std::size_t map_from) {
  // Not opened before it is known to be a file: a pipe can be opened once only.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0 || static_cast<std::size_t>(status.st_size) < map_from) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    // Zeros first and the file over them: where it fills its last page, a page of zeros follows.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    room_ = (size_ / page + 1) * page;
    void* const place = ::mmap(nullptr, room_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place != MAP_FAILED) {
      mapped_ = static_cast<char*>(place);
      const bool there = ::mmap(place, size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
      if (!there || is_gzip(view())) {
        ::munmap(place, room_);
        mapped_ = nullptr;
      }
    }
  }
  ::close(file);
  return mapped_ != nullptr;
}

void FileText::put_away(std::string_view part) const {
  if (mapped_) core::give_back(const_cast<char*>(part.data()), part.size());
}

}  // namespace accrete::io
