#include "accrete/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "accrete/core/error.hpp"

namespace accrete::io {
namespace {

constexpr std::size_t buffer_bytes = 1 << 16;

/// The descriptor of a name such as /dev/stdout or /dev/fd/3, or -1. If it is redirected to a regular file, renaming
/// over that file would lose the output of other programs.
int named_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int fd = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, fd);
    if (error == std::errc{} && stop == end) return fd;
  }
  return -1;
}

/// The temporary files that exist. A signal handler reads the list, so it is a fixed array without locks; a file that
/// finds no place in it is only deleted by its AtomicFile.
struct TemporaryName {
  std::atomic<bool> is_taken{false}, is_set{false};
  std::array<char, 4096> path;
};
std::array<TemporaryName, 32> temporary_names;

std::size_t remember_temporary(const std::string& path) {
  for (std::size_t i = 0; i < temporary_names.size(); ++i) {
    TemporaryName& name = temporary_names[i];
    if (path.size() >= name.path.size() || name.is_taken.exchange(true)) continue;
    path.copy(name.path.data(), path.size());
    name.path[path.size()] = '\0';
    name.is_set = true;
    return i;
  }
  return temporary_names.size();
}

void forget_temporary(std::size_t place) {
  if (place == temporary_names.size()) return;
  temporary_names[place].is_set = false;
  temporary_names[place].is_taken = false;
}

std::string resolve(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? std::string(real.get()) : path;
}

/// Best effort: the rename is done, and some file systems do not support this.
void sync_folder_of(const std::string& target) {
  const auto slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(resolve(path_)) {
  if (const int named = named_descriptor(path_); named >= 0) {
    fd_ = ::fcntl(named, F_DUPFD_CLOEXEC, 0);
    if (fd_ < 0) fail();
    return;
  }
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (!exists && (errno != ENOENT || path_.empty())) fail();
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail();
  if (!exists || S_ISREG(status.st_mode)) {
    open_temporary(status.st_mode & 07777, exists);
    return;
  }
  fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail();
}

void AtomicFile::open_temporary(unsigned mode, bool exists) {
  constexpr std::size_t max_name = 200;  // leaves space for the temporary name's suffix
  const auto slash = target_.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const std::string stem =
      target_.substr(0, start) + "." + target_.substr(start, max_name) + ".tmp-" + std::to_string(::getpid());
  // The name may be in use by this process, or left by a killed process with the same id.
  for (int attempt = 0; fd_ < 0 && attempt < 1000; ++attempt) {
    temporary_ = attempt == 0 ? stem : stem + "-" + std::to_string(attempt);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) fail();
  place_ = remember_temporary(temporary_);
  if (exists) ::fchmod(fd_, static_cast<mode_t>(mode));
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_temporary(place_);
}

void AtomicFile::write(std::string_view bytes) {
  pending_ += bytes;
  if (pending_.size() >= buffer_bytes) flush();
}

void AtomicFile::flush() {
  for (std::string_view left = pending_; !left.empty();) {
    const ssize_t done = ::write(fd_, left.data(), left.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail();
    left.remove_prefix(static_cast<std::size_t>(done));
  }
  pending_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty() && ::fsync(fd_) != 0) fail();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
  forget_temporary(place_);
  sync_folder_of(target_);
}

void AtomicFile::fail() const {
  const int error = errno;
  throw core::FileError("cannot write '" + path_ + "': " + std::generic_category().message(error));
}

void remove_temporary_files() {
  for (const TemporaryName& name : temporary_names)
    if (name.is_set) ::unlink(name.path.data());
}

}  // namespace accrete::io
