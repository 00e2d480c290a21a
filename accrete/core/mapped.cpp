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
std::size_t pretended = unknown;
std::atomic<std::size_t> to_come = 0;

/// MemAvailable: what is free, and what the system holds only as long as no one needs the room.
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
  throw FileError("cannot keep " + std::to_string((bytes >> 20) + 1) + " MiB that memory has no room for in '" +
                  folder + "': " + std::generic_category().message(error) + "; TMPDIR names another folder");
}

/// Room on the disk is taken at once: a mapping without it would end the program when it is written to.
int reserve(int file, std::size_t bytes) {
#if defined(__linux__)
  return ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
#else
  return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#endif
}

}  // namespace

std::size_t free_memory() {
  const std::size_t now = pretended != unknown ? pretended : available();
  return now == unknown ? unknown : now + to_come;
}

MemoryToCome::MemoryToCome(std::size_t bytes) : bytes_(bytes) {
  to_come += bytes_;
}

MemoryToCome::~MemoryToCome() {
  to_come -= bytes_;
}

PretendedFreeMemory::PretendedFreeMemory(std::size_t bytes) {
  pretended = bytes;
}

PretendedFreeMemory::~PretendedFreeMemory() {
  pretended = unknown;
}

void* map_temporary(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 1);
  const std::string folder = temporary_folder();
  std::string path = folder + "/accrete-XXXXXX";
  const int file = ::mkstemp(path.data());
  if (file < 0) refuse(folder, bytes, errno);
  ::unlink(path.c_str());
  int error = reserve(file, bytes);
  void* place = MAP_FAILED;
  if (error == 0) {
    place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place == MAP_FAILED) error = errno;
  }
  ::close(file);
  if (error != 0) refuse(folder, bytes, error);
  return place;
}

void unmap_temporary(void* place, std::size_t bytes) noexcept {
  ::munmap(place, std::max<std::size_t>(bytes, 1));
}

bool operator==(const Numbers& numbers, const std::vector<float>& values) {
  return std::ranges::equal(numbers, values);
}

Numbers mapped_numbers(std::size_t n) {
  return Numbers(n, RoomAllocator<float>(Room::file));
}

}  // namespace accrete::core
