#include "accrete/io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

#include "accrete/core/error.hpp"

namespace accrete::io {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw core::FileError("cannot read '" + name + "': " + why);
}

[[noreturn]] void refuse_errno(const std::string& path) {
  const int error = errno;
  refuse(path == "-" ? "standard input" : path, std::generic_category().message(error));
}

/// A file open for reading; standard input is not closed.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) refuse_errno(path);
  }
  ~Descriptor() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_;
};

std::string read_all(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  const bool sized = ::fstat(file.fd(), &status) == 0 && S_ISREG(status.st_mode);
  // One byte more than the size lets the last read, which returns 0, use the same buffer.
  std::string bytes(sized ? static_cast<std::size_t>(status.st_size) + 1 : std::size_t{1} << 16, '\0');
  for (std::size_t length = 0;;) {
    if (length == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t got = ::read(file.fd(), bytes.data() + length, bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_errno(path);
    length += static_cast<std::size_t>(got);
    if (got > 0) continue;
    bytes.resize(length);
    return bytes;
  }
}

/// zlib's inflater for data of any size.
class Inflater {
 public:
  Inflater(std::string_view compressed, const std::string& name) : left_(compressed), name_(name) {
    constexpr int gzip_only = 15 + 16;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) refuse(name_, "zlib could not be initialised");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Decompresses one member into `text` at offset `length`; returns the data after the member.
  std::string_view inflate_member(std::string& text, std::size_t& length) {
    inflateReset(&stream_);
    for (int state = Z_OK; state != Z_STREAM_END;) {
      if (length == text.size()) text.resize(text.size() + text.size() / 2 + (1 << 16));
      const std::size_t in = feed(stream_.avail_in, left_.size());
      const std::size_t out = feed(stream_.avail_out, text.size() - length);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
      stream_.next_out = reinterpret_cast<Bytef*>(text.data() + length);
      state = inflate(&stream_, Z_NO_FLUSH);
      left_.remove_prefix(in - stream_.avail_in);
      length += out - stream_.avail_out;
      if (state == Z_BUF_ERROR || (state == Z_OK && left_.empty() && stream_.avail_out > 0))
        refuse(name_, "the gzip data is truncated");
      if (state != Z_OK && state != Z_STREAM_END)
        refuse(name_, std::string("the gzip data is damaged") + (stream_.msg ? ": " + std::string(stream_.msg) : ""));
    }
    return left_;
  }

 private:
  /// Limits a size to zlib's 32-bit counters.
  static std::size_t feed(uInt& available, std::size_t size) {
    return available = static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
  }

  z_stream stream_{};
  std::string_view left_;
  const std::string& name_;
};

/// The last four bytes are the size of the last member modulo 2^32. It is only a hint, capped by deflate's maximum
/// ratio, so that a damaged file cannot cause a large allocation.
std::size_t likely_size(std::string_view compressed) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4 && i < compressed.size(); ++i)
    size = size << 8 | static_cast<unsigned char>(compressed[compressed.size() - 1 - i]);
  return std::min(size, 1032 * compressed.size()) + 1;
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view compressed, const std::string& name) {
  std::string text(likely_size(compressed), '\0');
  std::size_t length = 0;
  Inflater inflater(compressed, name);
  std::string_view rest = inflater.inflate_member(text, length);
  while (is_gzip(rest)) rest = inflater.inflate_member(text, length);
  if (rest.find_first_not_of('\0') != rest.npos) refuse(name, "other data follows the gzip data");
  text.resize(length);
  return text;
}

std::string read_text_file(const std::string& path) {
  std::string bytes = read_all(path);
  if (is_gzip(bytes)) return gunzip(bytes, path == "-" ? "standard input" : path);
  return bytes;  // a conditional expression would copy it
}

}  // namespace accrete::io
