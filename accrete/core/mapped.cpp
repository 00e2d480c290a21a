#include "accrete/core/mapped.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>

#include "accrete/core/error.hpp"

namespace accrete::core {
namespace {

constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
std::size_t free_memory_override = unknown;
std::atomic<std::size_t> pending = 0;

/// MemAvailable: free memory plus reclaimable caches.
std::size_t available() {
  std::ifstream info("/proc/meminfo");
  for (std::string name; info >> name; info.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    std::size_t kilobytes = 0;
    if (name == "MemAvailable:" && info >> kilobytes) return kilobytes << 10;
  }
  return unknown;
}

std::string temporary_folder() {
  const char* const given = std::getenv("TMPDIR");
  return given && *given ? given : "/var/tmp";
}

[[noreturn]] void refuse(const std::string& folder, std::size_t bytes, int error) {
  throw FileError("cannot map a temporary file of " + std::to_string((bytes >> 20) + 1) + " MiB in '" + folder +
                  "': " + std::generic_category().message(error) + "; set TMPDIR to use another folder");
}

/// Allocates the disk blocks up front, because writing to a sparse mapping on a full disk raises SIGBUS. Returns an
/// errno.
int reserve(int file, std::size_t bytes) {
#if defined(__linux__)
  return ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
#else
  return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#endif
}

}  // namespace

std::size_t free_memory() {
  const std::size_t now = free_memory_override != unknown ? free_memory_override : available();
  return now == unknown ? unknown : now + pending;
}

PendingMemory::PendingMemory(std::size_t bytes) : bytes_(bytes) {
  pending += bytes_;
}

PendingMemory::~PendingMemory() {
  pending -= bytes_;
}

FreeMemoryOverride::FreeMemoryOverride(std::size_t bytes) {
  free_memory_override = bytes;
}

FreeMemoryOverride::~FreeMemoryOverride() {
  free_memory_override = unknown;
}

void* map_temporary(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  const std::string folder = temporary_folder();
  std::string path = folder + "/accrete-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) refuse(folder, bytes, errno);
  ::unlink(path.c_str());
  int error = reserve(file, bytes);
  void* data = MAP_FAILED;
  if (error == 0) {
    data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (data == MAP_FAILED) error = errno;
  }
  ::close(file);
  if (error != 0) refuse(folder, bytes, error);
  return data;
}

void unmap_temporary(void* data, std::size_t bytes) noexcept {
  ::munmap(data, std::max<std::size_t>(bytes, 1));
}

bool operator==(const FloatColumn& column, const std::vector<float>& values) {
  return std::ranges::equal(column, values);
}

FloatColumn mapped_column(std::size_t n) {
  return FloatColumn(n, StorageAllocator<float>(Storage::file));
}

}  // namespace accrete::core
